'use strict';

const {tensor, shape, broadcastPair, nested, given, missing} = require('../lib/values');

// For each operation of one operand: the kinds of numbers that it is asked for, and whether it takes int32.
const unary = {
    abs: [['eighths', 'decimals', 'edges'], 'int32'],
    acos: [['unit', 'decimals', 'edges']],
    acosh: [['aboveOne', 'decimals', 'edges']],
    asin: [['unit', 'decimals', 'edges']],
    asinh: [['eighths', 'decimals', 'edges']],
    atan: [['eighths', 'decimals', 'edges']],
    atanh: [['unit', 'edges']],
    ceil: [['eighths', 'halves', 'edges']],
    cos: [['eighths', 'decimals', 'edges']],
    cosh: [['eighths', 'unit', 'edges']],
    elu: [['eighths', 'unit', 'edges']],
    erf: [['eighths', 'unit', 'edges'], 'int32'],
    exp: [['eighths', 'unit', 'edges'], 'int32'],
    expm1: [['eighths', 'unit', 'edges'], 'int32'],
    floor: [['eighths', 'halves', 'edges']],
    isFinite: [['eighths', 'edges', 'edges']],
    isInf: [['eighths', 'edges', 'edges']],
    isNaN: [['eighths', 'edges', 'edges']],
    log: [['positive', 'decimals', 'edges']],
    log1p: [['positive', 'unit', 'edges'], 'int32'],
    logSigmoid: [['eighths', 'decimals', 'edges']],
    neg: [['eighths', 'decimals', 'edges'], 'int32'],
    reciprocal: [['eighths', 'decimals', 'edges']],
    relu: [['eighths', 'decimals', 'edges'], 'int32'],
    relu6: [['eighths', 'decimals', 'edges'], 'int32'],
    round: [['halves', 'eighths', 'edges'], 'int32'],
    rsqrt: [['positive', 'decimals', 'edges']],
    selu: [['eighths', 'unit', 'edges']],
    sigmoid: [['eighths', 'decimals', 'edges']],
    sign: [['eighths', 'whole', 'edges'], 'int32'],
    sin: [['eighths', 'decimals', 'edges']],
    sinh: [['eighths', 'unit', 'edges']],
    softplus: [['eighths', 'decimals', 'edges']],
    sqrt: [['positive', 'decimals', 'edges']],
    square: [['eighths', 'decimals', 'edges'], 'int32'],
    tan: [['unit', 'eighths', 'edges']],
    tanh: [['eighths', 'unit', 'edges']],
    onesLike: [['eighths'], 'int32'],
    zerosLike: [['eighths'], 'int32'],
    clone: [['eighths', 'edges'], 'int32'],
};
const rejectsInt32 = ['sqrt', 'rsqrt', 'sin', 'cos', 'tan', 'tanh', 'sigmoid', 'log', 'elu', 'floor', 'ceil', 'cosh'];

const binary = ['add', 'sub', 'mul', 'div', 'divNoNan', 'floorDiv', 'mod', 'pow', 'maximum', 'minimum', 'squaredDifference', 'atan2'];
const comparison = ['equal', 'notEqual', 'greater', 'greaterEqual', 'less', 'lessEqual'];
const logical = ['logicalAnd', 'logicalOr', 'logicalXor'];

// The remainder and the rounded quotient jump, so their operands are exact.
const kindsOf = (op) => (['mod', 'floorDiv'].includes(op) ? ['eighths', 'whole', 'halves'] : ['eighths', 'decimals', 'whole']);

async function unaries(record, rng) {
    for (const [op, [kinds, int32]] of Object.entries(unary)) {
        for (const kind of kinds) {
            for (let rank = 0; rank <= 6; rank += kind === 'edges' ? 2 : 1) await record.call(op, tensor(rng, shape(rng, rank), 'float32', kind));
        }
        await record.call(op, tensor(rng, [rng.int(300, 1500)], 'float32', kinds[0]));
        for (const empty of [[0], [3, 0], [0, 2, 4]]) await record.call(op, given(empty, 'float32', []));
        await record.call(op, nested(tensor(rng, [2, 3], 'float32', kinds[0])));
        if (int32) for (const rank of [0, 1, 3]) await record.call(op, tensor(rng, shape(rng, rank), 'int32', 'whole'));
        if (rejectsInt32.includes(op)) await record.bad(op, tensor(rng, [rng.int(1, 4)], 'int32', 'whole'));
    }
    for (const op of ['onesLike', 'zerosLike', 'clone']) await record.call(op, tensor(rng, [2, 5], 'bool'));
}

async function binaries(record, rng) {
    for (const op of binary) {
        for (let i = 0; i < 36; ++i) {
            const [a, b] = broadcastPair(rng, i % 7, {zero: i % 9 === 8 ? 0.3 : 0});
            const exponents = op === 'pow' && i % 2 === 1;
            await record.call(op, tensor(rng, a, 'float32', exponents ? 'positive' : kindsOf(op)[i % 3]), tensor(rng, b, 'float32', exponents ? 'unit' : kindsOf(op)[i % 3]));
        }
        for (let i = 0; i < 10; ++i) {
            const [a, b] = broadcastPair(rng, i % 5, {});
            const exponent = op === 'pow' ? tensor(rng, b, 'int32', 'ties') : tensor(rng, b, 'int32', 'whole');
            await record.call(op, tensor(rng, a, 'int32', 'whole'), exponent);
            await record.call(op, tensor(rng, a, 'float32', 'whole'), tensor(rng, b, 'int32', 'ties'));
            await record.call(op, tensor(rng, a, 'int32', 'whole'), tensor(rng, b, 'float32', 'positive'));
        }
        for (let i = 0; i < 5; ++i) await record.call(op, tensor(rng, [40], 'float32', 'edges'), tensor(rng, i % 2 ? [40] : [], 'float32', i < 3 ? 'edges' : 'eighths'));
        await record.call(op, tensor(rng, [3, 4], 'float32'), 2);
        await record.call(op, 2, tensor(rng, [3, 4], 'float32', 'positive'));
        await record.call(op, nested(tensor(rng, [2, 2])), nested(tensor(rng, [2, 2], 'float32', 'positive')));
        await record.call(op, tensor(rng, [900], 'float32', kindsOf(op)[0]), tensor(rng, [3, 900], 'float32', 'positive'));
        await record.bad(op, tensor(rng, [2, 3]), tensor(rng, [2, 4]));
        await record.bad(op, tensor(rng, [3]), tensor(rng, [2]));
        await record.bad(op, tensor(rng, [2, 3, 4]), tensor(rng, [3, 3]));
    }
}

async function comparisons(record, rng) {
    for (const op of comparison) {
        for (let i = 0; i < 21; ++i) {
            const [a, b] = broadcastPair(rng, i % 7, {zero: i % 9 === 8 ? 0.3 : 0});
            await record.call(op, tensor(rng, a, 'float32', ['ties', 'eighths', 'edges'][i % 3]), tensor(rng, b, 'float32', ['ties', 'eighths', 'edges'][i % 3]));
        }
        for (const [left, right] of [['int32', 'int32'], ['bool', 'bool'], ['int32', 'float32'], ['bool', 'int32'], ['float32', 'bool']]) {
            const [a, b] = broadcastPair(rng, 3, {});
            await record.call(op, tensor(rng, a, left, 'ties'), tensor(rng, b, right, 'ties'));
        }
        await record.bad(op, tensor(rng, [2, 3]), tensor(rng, [4]));
    }
    for (const op of logical) {
        for (let i = 0; i < 21; ++i) {
            const [a, b] = broadcastPair(rng, i % 7, {zero: i % 9 === 8 ? 0.3 : 0});
            await record.call(op, tensor(rng, a, 'bool'), tensor(rng, b, 'bool'));
        }
        await record.call(op, [true, false, true], [true, true, false]);
        await record.bad(op, tensor(rng, [2, 3], 'bool'), tensor(rng, [4], 'bool'));
        await record.bad(op, tensor(rng, [4]), tensor(rng, [4], 'bool'));
    }
    for (let rank = 0; rank <= 6; ++rank) await record.call('logicalNot', tensor(rng, shape(rng, rank, {zero: rank === 5 ? 0.5 : 0}), 'bool'));
    await record.bad('logicalNot', tensor(rng, [3], 'int32'));
    for (let i = 0; i < 14; ++i) {
        const [a, b] = broadcastPair(rng, i % 7, {zero: i === 13 ? 0.3 : 0});
        await record.call('bitwiseAnd', tensor(rng, a, 'int32', 'large'), tensor(rng, a.length === b.length && a.every((x, j) => x === b[j]) ? b : a, 'int32', 'large'));
    }
    await record.bad('bitwiseAnd', tensor(rng, [3]), tensor(rng, [3], 'int32'));
}

async function parameters(record, rng) {
    for (let i = 0; i < 28; ++i) {
        const low = rng.int(-20, 8) / 4;
        await record.call('clipByValue', tensor(rng, shape(rng, i % 7), 'float32', ['eighths', 'decimals', 'edges'][i % 3]), low, low + rng.int(0, 12) / 4);
        await record.call('leakyRelu', tensor(rng, shape(rng, i % 7), 'float32', ['eighths', 'decimals', 'edges'][i % 3]), i % 4 === 0 ? missing : rng.int(-4, 8) / 8);
        await record.call('step', tensor(rng, shape(rng, i % 7), 'float32', ['eighths', 'whole', 'edges'][i % 3]), i % 4 === 0 ? missing : rng.int(-4, 8) / 8);
        const [a, b] = broadcastPair(rng, i % 7, {zero: i === 27 ? 0.3 : 0});
        await record.call('prelu', tensor(rng, a), tensor(rng, b, 'float32', i % 2 ? 'unit' : 'eighths'));
    }
    for (let i = 0; i < 4; ++i) await record.call('clipByValue', tensor(rng, shape(rng, i + 1), 'int32', 'whole'), -3 + i, 2 + i);
    for (let i = 0; i < 3; ++i) await record.call('step', tensor(rng, shape(rng, i + 1), 'int32', 'whole'));
    await record.call('clipByValue', tensor(rng, [6]), -Infinity, 1);
    await record.call('clipByValue', tensor(rng, [6]), 0.5, Infinity);
    await record.bad('clipByValue', tensor(rng, [6]), 1, 0.5);
    await record.bad('prelu', tensor(rng, [2, 3]), tensor(rng, [2]));

    for (let i = 0; i < 42; ++i) {
        const [a, b] = broadcastPair(rng, i % 7, {zero: i % 9 === 8 ? 0.3 : 0});
        const [c] = broadcastPair(rng, i % 7, {});
        const dtype = ['float32', 'int32', 'bool'][i % 3];
        const fits = rng.pick([a, b]);
        await record.call('where', tensor(rng, fits, 'bool'), tensor(rng, a, dtype, i % 2 ? 'edges' : 'whole'), tensor(rng, b, dtype, 'whole'));
        if (i % 6 === 0) await record.call('where', tensor(rng, c, 'bool'), tensor(rng, [], 'float32'), tensor(rng, c, 'float32'));
    }
    await record.call('where', true, 1, 2);
    await record.call('where', [true, false], [1, 2], [3, 4]);
    await record.bad('where', tensor(rng, [4], 'bool'), tensor(rng, [3]), tensor(rng, [4]));
    await record.bad('where', tensor(rng, [2, 2], 'bool'), tensor(rng, [2, 3]), tensor(rng, [2, 2]));

    for (const from of ['float32', 'int32', 'bool']) {
        for (const to of ['float32', 'int32', 'bool']) {
            for (let rank = 0; rank <= 6; rank += 2) await record.call('cast', tensor(rng, shape(rng, rank), from, 'eighths'), to);
            await record.call('cast', given([0, 3], from, []), to);
        }
    }
    for (const from of ['float32', 'int32', 'bool']) await record.bad('cast', tensor(rng, [2], from), 'string');
    for (const op of ['leakyRelu', 'prelu', 'step', 'clipByValue']) await record.bad(op, 'q', 0, 1);
    for (let i = 0; i < 14; ++i) {
        const extents = shape(rng, i % 7, {zero: i === 13 ? 0.5 : 0});
        const dtype = i % 3 === 2 ? 'int32' : 'float32';
        await record.call('addN', Array.from({length: rng.int(1, 6)}, () => tensor(rng, extents, dtype)));
    }
    await record.call('addN', Array.from({length: 150}, () => tensor(rng, [3])));
    await record.bad('addN', []);
    await record.bad('addN', [tensor(rng, [2]), tensor(rng, [3])]);
    await record.bad('addN', [tensor(rng, [2]), tensor(rng, [2], 'int32')]);
}

module.exports = async (record, rng) => {
    await unaries(record, rng);
    await binaries(record, rng);
    await comparisons(record, rng);
    await parameters(record, rng);
};
