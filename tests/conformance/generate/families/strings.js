'use strict';

const {given, indices, shape, sizeOf, missing} = require('../lib/values');

const words = ['', 'a', 'b', 'ab', 'abc', 'tensor', 'Tile', 'hello world', 'x y  z', 'ünïcode', '正常', 'здраво', 'emoji 🙂', '1.5', 'a,b,,c'];

module.exports = async (record, rng) => {
    const text = (extents, list = words) => given(extents, 'string', Array.from({length: sizeOf(extents)}, () => rng.pick(list)));

    for (const op of ['equal', 'notEqual', 'greater', 'greaterEqual', 'less', 'lessEqual']) {
        for (let i = 0; i < 4; ++i) {
            const extents = shape(rng, i, {most: 12});
            await record.call(op, text(extents, ['a', 'b', 'ab', '']), text(i % 2 ? [] : extents, ['a', 'b', 'ab', '']));
        }
    }
    for (let i = 0; i < 10; ++i) {
        const rank = 1 + (i % 3);
        const x = text(shape(rng, rank, {most: 12}));
        await record.call('tensor', x.data, x.shape, i % 2 ? 'string' : missing);
        await record.call('clone', x);
        await record.call('reshape', x, [sizeOf(x.shape)]);
        await record.call('expandDims', x, rng.int(-rank - 1, rank));
        await record.call('squeeze', given([1, ...x.shape, 1], 'string', x.data));
        await record.call('tile', x, x.shape.map(() => rng.int(1, 3)));
        await record.call('stack', [x, text(x.shape)], rng.int(0, rank));
        await record.call('unstack', x, rng.int(0, rank - 1));
        await record.call('unique', text(x.shape, ['a', 'b', 'ab']), rng.int(0, rank - 1));
        await record.call('fill', x.shape, rng.pick(words));
        await record.call('Tensor.toString', x);
        await record.call('Tensor.toString', x, true);
    }
    await record.call('scalar', 'tile');
    await record.call('tensor1d', ['a', 'bc', '']);
    await record.call('tensor2d', [['a', 'bc'], ['def', 'g']]);
    await record.call('sparseToDense', given([2, 1], 'int32', [1, 3]), text([2]), [5], text([]));
    for (const op of ['abs', 'neg', 'exp', 'sum', 'mean', 'relu', 'square', 'sign', 'logSumExp']) await record.bad(op, text([2]));
    for (const op of ['add', 'mul', 'maximum', 'mod', 'logicalAnd']) await record.bad(op, text([2]), given([2], 'float32', [1, 2]));
    await record.bad('equal', text([2]), given([2], 'float32', [1, 2]));
    for (const dtype of ['int32', 'float32', 'bool']) await record.bad('cast', text([2]), dtype);

    for (let i = 0; i < 30; ++i) {
        const rows = rng.int(1, 3);
        const splits = [0];
        for (let j = 0; j < rows; ++j) splits.push(splits[j] + rng.int(i % 5 === 4 ? 0 : 1, 4));
        const data = given([splits[rows]], 'string', Array.from({length: splits[rows]}, (_, j) => String.fromCharCode(97 + j)));
        const widths = rng.shuffle([1, 2, 3, 4]).slice(0, rng.int(1, 2));
        await record.call('string.stringNGrams', data, given([rows + 1], 'int32', splits), rng.pick(['|', ' ', '']), widths, rng.pick(['', 'LP']), rng.pick(['', 'RP']), rng.pick([-1, 0, 1, 2]), rng.chance(0.5));
        const phrases = ['hello there', ' spaced  out ', 'a,b,c', ',a,,b', '', 'no-delimiter', 'x y,z'];
        await record.call('string.stringSplit', text([rng.int(1, 4)], phrases), rng.pick([' ', ',', '', ', ']), i % 3 ? rng.chance(0.5) : missing);
        await record.call('string.stringToHashBucketFast', text(shape(rng, 1 + (i % 3), {most: 8})), rng.int(1, 1000));
        const [pattern, rewrite] = rng.pick([['a', 'X'], ['[aeiou]', '*'], ['^', '>'], ['l+', 'L'], ['(\\w)', '<$1>'], ['\\s', ''], ['z$', '!']]);
        await record.call('string.staticRegexReplace', text(shape(rng, 1 + (i % 2), {most: 6}), ['hello world', 'tensor', 'x y  z', 'abc', '']), pattern, rewrite, i % 3 ? rng.chance(0.5) : missing);
    }
    await record.bad('string.stringToHashBucketFast', text([2]), 0);
    await record.bad('string.stringSplit', text([2, 2]), ' ');
    await record.bad('string.stringNGrams', text([2]), given([2], 'int32', [0, 1]), '|', [2], '', '', 0, false);
};
