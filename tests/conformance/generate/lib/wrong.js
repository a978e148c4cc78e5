'use strict';

// Where the reference's result is not the right one (or not one that a definition gives), by rule. Such a call is not recorded; where it
// matters, families/traps.js has the right value, worked out by hand.

const {isTensor} = require('./oracle');

const tensors = (args) => args.flat().filter(isTensor);
const all = (args, wanted) => tensors(args).length > 0 && tensors(args).every(({dtype}) => dtype === wanted);
const empty = (value) => isTensor(value) && value.shape.includes(0);
const hasNaN = (value) => isTensor(value) && value.data.some(Number.isNaN);
const infinite = (value) => isTensor(value) && value.data.some((x) => Math.abs(x) === Infinity);

const arithmetic = ['add', 'sub', 'mul', 'div', 'divNoNan', 'floorDiv', 'mod', 'pow', 'squaredDifference', 'addN', 'atan2', 'prelu'];

const rules = [
    {
        why: 'arithmetic of two bools keeps the dtype bool but stores 2 or -1',
        holds: (op, args) => arithmetic.includes(op) && all(args, 'bool'),
    },
    {
        why: 'the mean of nothing is given as 0; NumPy and TensorFlow have NaN',
        holds: (op, args) => ['mean', 'moments'].includes(op) && empty(args[0]),
    },
    {
        why: 'the extreme of nothing is whatever the memory held',
        holds: (op, args) => ['max', 'min', 'argMax', 'argMin', 'logSumExp', 'norm', 'euclideanNorm'].includes(op) && empty(args[0]),
    },
    {
        why: 'all of nothing is given as false',
        holds: (op, args) => op === 'all' && empty(args[0]),
    },
    {
        why: 'a leading NaN wins because nothing compares with it; further on NaNs are passed over',
        holds: (op, args) => ['argMax', 'argMin', 'topk'].includes(op) && hasNaN(args[0]),
    },
    {
        why: 'JavaScript has pow(±1, ±Infinity) = NaN and pow(1, NaN) = NaN; IEEE 754 has 1',
        holds: (op, args) => op === 'pow' && (hasNaN(args[1]) || infinite(args[1])),
    },
    {
        why: 'results that are not whole are cut to int32',
        holds: (op, args) => ['atan2', 'reciprocal', 'expm1', 'log1p', 'divNoNan'].includes(op) && all(args, 'int32'),
    },
    {
        why: 'the remainder by infinity comes out as NaN; Python has the dividend or the infinity',
        holds: (op, args) => op === 'mod' && infinite(args[1]),
    },
    {
        why: 'the norm of matrices reduces another axis if the axes of more than two do not ascend',
        holds: (op, [x, order, axes]) => op === 'norm' && typeof order === 'number' && Array.isArray(axes) && axes.length === 2 && x.shape.length > 2 && axes[0] > axes[1],
    },
    {
        why: 'an infinity is subtracted from itself',
        holds: (op, args) => op === 'logSumExp' && infinite(args[0]),
    },
];

function wrongHere(op, args) {
    const rule = rules.find(({holds}) => holds(op, args));
    return rule && rule.why;
}

module.exports = {wrongHere};
