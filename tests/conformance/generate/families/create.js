'use strict';

const {tensor, shape, given, nested, complex, missing} = require('../lib/values');

module.exports = async (record, rng) => {
    const names = ['scalar', 'tensor1d', 'tensor2d', 'tensor3d', 'tensor4d', 'tensor5d', 'tensor6d'];
    for (let i = 0; i < 56; ++i) {
        const rank = i % 7;
        const dtype = ['float32', 'int32', 'bool'][i % 3];
        const x = tensor(rng, shape(rng, rank, {most: 40}), dtype, i % 4 === 3 && dtype === 'float32' ? 'edges' : 'eighths');
        const flat = rank > 1 && i % 2 === 0;
        if (rank === 0) await record.call('scalar', x.data[0], dtype);
        else await record.call(names[rank], flat ? x.data : nested(x), flat ? x.shape : missing, ...(rank === 1 ? [] : [dtype]));
        if (rank === 1) await record.call('tensor1d', x.data, dtype);
        await record.call('tensor', flat ? x.data : nested(x), flat ? x.shape : missing, dtype);
        const typed = dtype === 'float32' ? 'Float32Array' : 'Int32Array';
        await record.call('tensor', {typed, data: x.data}, x.shape, dtype === 'bool' ? 'int32' : missing);
        await record.call('variable', x);
        for (const op of ['ones', 'zeros']) await record.call(op, x.shape, ...(i % 4 === 0 ? [] : [dtype]));
        await record.call('fill', x.shape, dtype === 'bool' ? 1 : rng.int(-9, 9), ...(i % 4 === 0 ? [] : [dtype]));
    }
    for (const empty of [[0], [2, 0], [0, 3, 1]]) {
        await record.call('tensor', [], empty);
        for (const dtype of ['float32', 'int32', 'bool']) for (const op of ['ones', 'zeros']) await record.call(op, empty, dtype);
        await record.call('fill', empty, 3);
    }
    await record.call('fill', [2, 2], NaN);
    await record.call('fill', [3], -Infinity);
    await record.call('fill', [2, 3], 2.5, 'float32');
    await record.bad('tensor', [1, 2, 3], [2, 2]);
    await record.bad('tensor2d', [1, 2, 3]);
    await record.bad('tensor2d', [1, 2, 3], [2, 2]);
    await record.bad('tensor1d', [[1, 2], [3, 4]]);
    await record.bad('tensor3d', [[1, 2], [3, 4]]);
    await record.bad('scalar', [1, 2]);
    await record.bad('zeros', [2, -1]);
    await record.bad('ones', [-2]);

    for (let i = 0; i < 24; ++i) {
        await record.call('eye', rng.int(1, 5), i % 3 ? rng.int(1, 5) : missing, i % 4 === 1 ? [rng.int(1, 3)] : i % 4 === 2 ? [2, rng.int(1, 3)] : missing, i % 6 === 5 ? 'int32' : missing);
        await record.call('linspace', rng.int(-20, 20) / 2, rng.int(-20, 20) / 2, rng.int(1, 12));
        const start = rng.int(-9, 9);
        const step = rng.pick([1, 2, 3, 5]) * (i % 3 === 2 ? -1 : 1);
        await record.call('range', start, start + step * rng.int(0, 8) + rng.int(0, 1) * Math.sign(step), i % 4 === 0 && step > 0 ? missing : step, i % 2 ? 'int32' : missing);
        await record.call('range', start / 2, start / 2 + rng.int(0, 9) / 4, 0.25);
    }
    // Counted up without a step, and down.
    await record.call('range', 0, 5);
    await record.call('range', 5, 0);
    await record.call('range', 2, 2);
    await record.call('linspace', 3, 3, 4);
    await record.bad('linspace', 0, 1, 0);
    await record.bad('range', 0, 5, 0);

    for (let i = 0; i < 14; ++i) {
        const extents = shape(rng, i % 7, {most: 40, zero: i === 13 ? 0.5 : 0});
        const [re, im] = [tensor(rng, extents), tensor(rng, extents)];
        await record.call('complex', re, im);
        const z = complex(rng, extents);
        for (const op of ['real', 'imag', 'abs', 'clone', 'zerosLike', 'onesLike']) await record.call(op, z);
        await record.call('reshape', z, [-1]);
        await record.call('cast', z, 'complex64');
        await record.call('cast', re, 'complex64');
        for (const op of ['add', 'sub', 'mul']) {
            await record.call(op, z, complex(rng, extents));
            const one = complex(rng, []);
            const everywhere = given(extents, 'complex64', z.data.map((_, k) => one.data[k % 2]));
            await record.derived('the reference does not broadcast complex numbers', op, [z, one], (call) => call(op, [z, everywhere]));
        }
        for (const op of ['add', 'sub', 'mul']) await record.call(op, z, re);
    }
    for (const op of ['transpose', 'expandDims']) for (const rank of [1, 2, 3]) await record.call(op, complex(rng, shape(rng, rank, {most: 20})));
    await record.call('concat', [complex(rng, [2, 3]), complex(rng, [1, 3])], 0);
    await record.call('concat', [complex(rng, [2, 3]), complex(rng, [2, 1])], 1);
    await record.call('slice', complex(rng, [4, 3]), [1, 0], [2, 2]);
    await record.call('zeros', [2, 2], 'complex64');
    await record.call('ones', [2, 2], 'complex64');
    await record.call('complex', [1, 2], [3, 4]);
    await record.bad('complex', tensor(rng, [2]), tensor(rng, [3]));

    for (let i = 0; i < 10; ++i) await record.call('buffer', shape(rng, 1 + (i % 4), {most: 20}), ['float32', 'int32'][i % 2]);
    for (const [a, b] of [['bool', 'int32'], ['int32', 'float32'], ['float32', 'complex64'], ['bool', 'complex64'], ['int32', 'complex64'], ['string', 'string']]) {
        await record.call('upcastType', a, b);
        await record.call('upcastType', b, a);
    }
    await record.bad('upcastType', 'string', 'float32');

    const printed = [
        given([], 'float32', [3.25]), given([], 'int32', [-7]), given([], 'bool', [0]), given([3], 'float32', [1, -2.5, 30]), given([4], 'bool', [1, 0, 0, 1]),
        given([2, 3], 'int32', [1, 20, 300, -4, 5, 6]), given([2, 2, 2], 'float32', [1, 2, 3, 4, 5, 6, 7.5, 8]), given([0], 'float32', []),
        tensor(rng, [30], 'int32', 'whole'), tensor(rng, [5, 30], 'int32', 'whole'), given([1, 1, 2, 2], 'float32', [0.5, 1, 10, 100]),
        given([2], 'complex64', [1, 2, -3, 0.5]),
    ];
    for (const x of printed) {
        await record.call('Tensor.toString', x);
        await record.call('Tensor.toString', x, true);
    }
};
