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

const volumes = ['conv3d', 'conv3dTranspose', 'avgPool3d', 'maxPool3d'];
const list = (value, count) => (Array.isArray(value) ? value : Array(count).fill(value));
// Window, strides and padding of an operation over volumes.
function geometry(op, args) {
    const pooled = op.includes('Pool');
    const window = pooled ? list(args[1], 3) : args[1].shape.slice(0, 3);
    const [strides, pad] = op === 'conv3dTranspose' ? args.slice(3, 5) : args.slice(2, 4);
    return {window, strides: list(strides, 3), pad};
}

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
    {
        why: 'the padding of volumes by name is negative where a stride is above the window: the first windows begin inside',
        holds(op, args) {
            if (!volumes.includes(op)) return false;
            const {window, strides, pad} = geometry(op, args);
            return pad === 'same' && strides.some((stride, axis) => stride > window[axis]);
        },
    },
    {
        why: 'a pool with dilations counts the zeros of its padding',
        holds: (op, args) => op === 'pool' && args[3] === 'same' && list(args[4], 2).some((dilation) => dilation > 1),
    },
    {
        why: 'where the padding is a number, window and stride of the height are taken for the width too',
        holds: (op, args) => op === 'maxPoolWithArgmax' && typeof args[3] === 'number' && [args[1], args[2]].some((pair) => list(pair, 2)[0] !== list(pair, 2)[1]),
    },
];

function wrongHere(op, args) {
    const rule = rules.find(({holds}) => holds(op, args));
    return rule && rule.why;
}

module.exports = {wrongHere};
