'use strict';

const {tensor, shape, given, nested, indices, missing} = require('../lib/values');

async function products(record, rng) {
    for (let i = 0; i < 90; ++i) {
        const [m, k, n] = [rng.int(1, 9), rng.int(i % 17 === 16 ? 0 : 1, 9), rng.int(1, 9)];
        const [ta, tb] = [rng.chance(0.3), rng.chance(0.3)];
        const batch = shape(rng, i % 4, {most: 6});
        const other = i % 3 === 2 ? batch.map((extent) => (rng.chance(0.5) ? 1 : extent)) : batch;
        const far = i % 6 === 5 ? batch.map((extent, axis) => (other[axis] === 1 ? extent : 1)) : batch;
        const [left, right] = rng.chance(0.5) ? [far, other] : [other, far];
        const dtype = i % 10 === 9 ? 'int32' : 'float32';
        const a = tensor(rng, [...left, ...(ta ? [k, m] : [m, k])], dtype, i % 2 ? 'decimals' : 'eighths');
        const b = tensor(rng, [...right, ...(tb ? [n, k] : [k, n])], dtype, i % 2 ? 'unit' : 'eighths');
        const flags = ta || tb || i % 5 === 0 ? [ta, tb] : [];
        if (String(left) === String(right)) {
            await record.call('matMul', a, b, ...flags);
            continue;
        }
        await record.derived('the reference picks other matrices where both batches broadcast', 'matMul', [a, b, ...flags], async (call) => {
            const whole = ({shape: extents}) => [...batch, ...extents.slice(-2)];
            return call('matMul', [await call('broadcastTo', [a, whole(a)]), await call('broadcastTo', [b, whole(b)]), ...flags]);
        });
    }
    for (const [m, k, n] of [[33, 65, 17], [64, 64, 64], [1, 200, 40], [40, 200, 1], [70, 3, 70]]) await record.call('matMul', tensor(rng, [m, k], 'float32', 'unit'), tensor(rng, [k, n], 'float32', 'unit'));
    await record.call('matMul', given([2, 0], 'float32', []), given([0, 3], 'float32', []));
    await record.call('matMul', given([0, 2], 'float32', []), tensor(rng, [2, 3]));
    await record.call('matMul', nested(tensor(rng, [2, 2])), nested(tensor(rng, [2, 2])));
    await record.bad('matMul', tensor(rng, [2, 3]), tensor(rng, [2, 3]));
    await record.bad('matMul', tensor(rng, [2, 3]), tensor(rng, [3, 2]), true);
    await record.bad('matMul', tensor(rng, [3]), tensor(rng, [3, 2]));
    await record.bad('matMul', tensor(rng, [3, 2, 2]), tensor(rng, [2, 2, 2]));

    for (let i = 0; i < 24; ++i) {
        const k = rng.int(1, 8);
        const a = i % 2 ? [k] : [rng.int(1, 5), k];
        const b = i % 4 < 2 ? [k] : [k, rng.int(1, 5)];
        await record.call('dot', tensor(rng, a), tensor(rng, b));
        await record.call('outerProduct', tensor(rng, [rng.int(1, 6)]), tensor(rng, [rng.int(1, 6)]));
    }
    await record.bad('dot', tensor(rng, [2, 3]), tensor(rng, [2]));
    await record.bad('dot', tensor(rng, [2, 3, 1]), tensor(rng, [1]));
    await record.bad('outerProduct', tensor(rng, [2, 3]), tensor(rng, [2]));
}

async function einsums(record, rng) {
    const equations = ['ij->', 'ij->ji', 'ij->i', 'ij->j', 'i->i', 'i,i->', 'i,j->ij', 'i,j->ji', 'ij,jk->ik', 'ij,jk->ki', 'ij,kj->ik', 'ij,j->i', 'ij,ij->', 'ij,ij->ij', 'ij,ji->',
        'bij,bjk->bik', 'bij,jk->bik', 'bij,bkj->bik', 'abc,cd->abd', 'abc,bad->cd', 'abc->cab', 'abcd->db', 'abcd,cde->abe', 'bi,bj->bij', 'bqhd,bkhd->bhqk', 'ijk,k->ij', 'ij,->', 'ab,cd->abcd', 'abc,cb->a'];
    for (const equation of equations) {
        for (let i = 0; i < 3; ++i) {
            const extents = {};
            for (const letter of equation.replace(/[^a-z]/g, '')) extents[letter] = extents[letter] || rng.int(1, 4);
            const operands = equation.split('->')[0].split(',').map((labels) => tensor(rng, [...labels].map((letter) => extents[letter])));
            await record.call('einsum', equation, ...operands);
        }
    }
    await record.bad('einsum', 'ij,jk->ik->i', tensor(rng, [2, 3]), tensor(rng, [3, 2]));
    await record.bad('einsum', 'ij,jk', tensor(rng, [2, 3]), tensor(rng, [3, 2]));
    await record.bad('einsum', 'ij->k', tensor(rng, [2, 3]));
    await record.bad('einsum', 'ij,jk->ik', tensor(rng, [2, 3]));
    await record.bad('einsum', 'ij,jk->ik', tensor(rng, [2, 3]), tensor(rng, [4, 2]));
    await record.bad('einsum', 'ij->i', tensor(rng, [2]));
}

async function decompositions(record, rng) {
    for (let i = 0; i < 40; ++i) {
        const lead = shape(rng, i % 3, {most: 4});
        const [m, n] = [rng.int(1, 6), rng.int(1, 6)];
        await record.call('linalg.bandPart', tensor(rng, [...lead, m, n], i % 4 === 3 ? 'int32' : 'float32'), rng.int(-1, m), rng.int(-1, n));
    }
    await record.bad('linalg.bandPart', tensor(rng, [4]), 1, 1);
    await record.bad('linalg.bandPart', tensor(rng, [2, 3]), 3, 0);
    await record.bad('linalg.bandPart', tensor(rng, [2, 3]), 0, 4);
    await record.bad('linalg.bandPart', tensor(rng, [2, 3]), 0.5, 1);

    // Strong diagonals: what is nearly dependent is not determined to six digits.
    const regular = (rows, columns) => {
        const x = tensor(rng, [rows, columns], 'float32', 'unit');
        for (let j = 0; j < Math.min(rows, columns); ++j) x.data[j * columns + j] = 3 + j;
        return x;
    };
    for (let i = 0; i < 16; ++i) {
        const [m, n] = [rng.int(1, 5), rng.int(1, 5)];
        await record.call('linalg.qr', regular(m, n), ...(i % 2 ? [true] : []));
        const rows = rng.int(1, 4);
        await record.call('linalg.gramSchmidt', regular(rows, rows + rng.int(0, 2)));
    }
    for (let i = 0; i < 4; ++i) {
        const parts = [regular(3, 3), regular(3, 3)];
        await record.call('linalg.qr', given([2, 3, 3], 'float32', parts.flatMap(({data}) => data)));
        await record.call('linalg.gramSchmidt', [regular(1, 4), regular(1, 4), regular(1, 4)].map(({data}, j) => given([4], 'float32', data.map((v, k) => (k === j ? 4 : v)))));
    }
    await record.bad('linalg.gramSchmidt', tensor(rng, [3, 2]));
    await record.bad('linalg.gramSchmidt', [tensor(rng, [3]), tensor(rng, [2])]);
    await record.bad('linalg.gramSchmidt', []);
    await record.bad('linalg.qr', tensor(rng, [3]));

    for (let i = 0; i < 12; ++i) {
        const classes = rng.int(1, 6);
        const count = rng.int(1, 20);
        await record.call('math.confusionMatrix', indices(rng, [count], classes), indices(rng, [count], classes), classes);
    }
    await record.bad('math.confusionMatrix', indices(rng, [3], 2), indices(rng, [4], 2), 2);
    await record.bad('math.confusionMatrix', indices(rng, [3], 2), indices(rng, [3], 2), 2.5);
    await record.bad('math.confusionMatrix', indices(rng, [3, 1], 2), indices(rng, [3], 2), 2);
}

async function fused(record, rng) {
    const activations = [missing, 'linear', 'relu', 'relu6', 'elu', 'sigmoid', 'leakyrelu', 'prelu'];
    for (let i = 0; i < 48; ++i) {
        const [m, k, n] = [rng.int(1, 6), rng.int(1, 6), rng.int(1, 6)];
        const [transposeA, transposeB] = [rng.chance(0.3), rng.chance(0.3)];
        const lead = i % 4 === 3 ? [rng.int(1, 3)] : [];
        const activation = activations[i % activations.length];
        const args = {a: tensor(rng, [...lead, ...(transposeA ? [k, m] : [m, k])]), b: tensor(rng, [...lead, ...(transposeB ? [n, k] : [k, n])])};
        if (transposeA || transposeB || i % 2) Object.assign(args, {transposeA, transposeB});
        if (i % 3) args.bias = tensor(rng, rng.pick([[n], [1, n]]));
        if (typeof activation === 'string') args.activation = activation;
        if (activation === 'leakyrelu' && i % 2 === 0) args.leakyreluAlpha = 0.3;
        if (activation === 'prelu') args.preluActivationWeights = tensor(rng, rng.pick([[n], [1, n], [1, 1]]));
        await record.call('fused.matMul', args);
    }
    await record.bad('fused.matMul', {a: tensor(rng, [2, 3]), b: tensor(rng, [2, 3])});
    await record.bad('fused.matMul', {a: tensor(rng, [2, 3]), b: tensor(rng, [3, 4]), bias: tensor(rng, [3])});
}

module.exports = async (record, rng) => {
    await products(record, rng);
    await einsums(record, rng);
    await decompositions(record, rng);
    await fused(record, rng);
};
