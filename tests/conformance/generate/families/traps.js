'use strict';

// Inputs that implementations get wrong, with results worked out by hand from the definitions (not asked of the reference, unless `call`).

const {given} = require('../lib/values');

const f = (...data) => given([data.length], 'float32', data);
const i = (...data) => given([data.length], 'int32', data);
const b = (...data) => given([data.length], 'bool', data);
const scalar = (dtype, value) => given([], dtype, [value]);
const most = 2147483647;
const least = -2147483648;
const exact = [16777217, most, least];

// [operation, arguments, result]
const wholeNumbers = [
    ['add', [i(...exact), i(0, 0, 0)], i(...exact)],
    ['add', [i(most, least, 16777217), i(1, -1, 16777217)], i(least, most, 33554434)],
    ['sub', [i(least, most, 16777217), i(1, -1, 1)], i(most, least, 16777216)],
    ['mul', [i(65536, 46341, most, least, 123456789), i(65536, 46341, 2, -1, 987654321)], i(0, -2147479015, -2, least, -67153019)],
    ['square', [i(65536, 46341, 16777217)], i(0, -2147479015, 33554433)],
    ['squaredDifference', [i(65537, 16777217), i(1, 16777216)], i(0, 1)],
    ['neg', [i(...exact)], i(-16777217, -most, least)],
    ['abs', [i(-16777217, -most, least)], i(16777217, most, least)],
    ['sign', [i(...exact)], i(1, 1, -1)],
    ['div', [i(7, -7, 7, -7), i(2, 2, -2, -2)], i(3, -4, -4, 3)],
    ['div', [i(16777217, most, least), i(1, 2, 2)], i(16777217, 1073741823, -1073741824)],
    ['div', [i(1, 0, -1), i(0, 0, 0)], i(0, 0, 0)],
    ['floorDiv', [i(7, -7, 7, -7, 1), i(2, 2, -2, -2, 0)], i(3, -4, -4, 3, 0)],
    ['mod', [i(7, -7, 7, -7), i(3, 3, -3, -3)], i(1, 2, -2, -1)],
    ['mod', [i(most, 16777217, least), i(2, 16777216, 3)], i(1, 1, 1)],
    ['pow', [i(-2, 3, 7, 2), i(3, 4, 0, 30)], i(-8, 81, 1, 1073741824)],
    ['maximum', [i(16777217, least), i(16777216, most)], i(16777217, most)],
    ['minimum', [i(16777217, least), i(16777216, most)], i(16777216, least)],
    ['equal', [i(16777217, most, least), i(16777216, most - 1, least)], b(0, 0, 1)],
    ['less', [i(16777216, most - 1, least), i(16777217, most, most)], b(1, 1, 1)],
    ['greater', [i(16777217, most, most), i(16777216, most - 1, least)], b(1, 1, 1)],
    ['bitwiseAnd', [i(most, least, -1, 16777217), i(16777217, -1, 65535, 16777216)], i(16777217, least, 65535, 16777216)],
    ['clipByValue', [i(16777217, -16777217, 5), -10, 10], i(10, -10, 5)],
    ['relu', [i(...exact)], i(16777217, most, 0)],
    ['where', [b(1, 0, 1), i(...exact), i(1, 16777219, 2)], i(16777217, 16777219, least)],
    ['addN', [[i(most, 16777217), i(1, 0), i(1, 16777217)]], i(least + 1, 33554434)],
    ['sum', [i(most, 1, 1)], scalar('int32', least + 1)],
    ['sum', [i(16777217, 16777217, 1)], scalar('int32', 33554435)],
    ['prod', [i(65536, 65536, 3)], scalar('int32', 0)],
    ['prod', [i(46341, 46341)], scalar('int32', -2147479015)],
    ['max', [i(16777216, 16777217, least)], scalar('int32', 16777217)],
    ['min', [i(most, most - 1, most)], scalar('int32', most - 1)],
    ['argMax', [i(16777216, 16777217, 16777216)], scalar('int32', 1)],
    ['argMin', [i(most, most - 1, most)], scalar('int32', 1)],
    ['cumsum', [i(most, 1, 16777217)], i(most, least, -2130706431)],
    ['matMul', [given([1, 2], 'int32', [65536, 16777217]), given([2, 1], 'int32', [65536, 1])], given([1, 1], 'int32', [16777217])],
    ['concat', [[i(...exact), i(16777219)]], i(...exact, 16777219)],
    ['reverse', [i(...exact)], i(least, most, 16777217)],
    ['tile', [i(...exact), [2]], i(...exact, ...exact)],
    ['gather', [i(...exact), i(2, 0, 1)], i(least, 16777217, most)],
    ['slice', [i(...exact), [1], [2]], i(most, least)],
    ['pad', [i(16777217), [[1, 1]], 16777219], i(16777219, 16777217, 16777219)],
    ['transpose', [given([2, 2], 'int32', [16777217, most, least, 1])], given([2, 2], 'int32', [16777217, least, most, 1])],
    ['stack', [[i(16777217), i(most)]], given([2, 1], 'int32', [16777217, most])],
    ['topk', [i(16777216, 16777217, most, least), 3], {values: i(most, 16777217, 16777216), indices: i(2, 1, 0)}],
    ['unique', [i(16777216, 16777217, 16777216)], {values: i(16777216, 16777217), indices: i(0, 1, 0)}],
    ['scatterND', [given([2, 1], 'int32', [0, 0]), i(16777217, 16777217), [2]], i(33554434, 0)],
    ['unsortedSegmentSum', [i(16777217, most, 1), i(0, 1, 1), 2], i(16777217, least)],
];

const casts = [
    ['cast', [f(1.9, -1.9, NaN, Infinity, -Infinity, 3e9), 'int32'], i(1, -1, 0, 0, 0, -1294967296)],
    ['cast', [f(NaN, 0, -0, 0.1), 'bool'], b(1, 0, 0, 1)],
    ['cast', [i(16777217, most, least), 'float32'], f(16777216, 2147483648, -2147483648)],
    ['cast', [i(16777217, 0, -1), 'bool'], b(1, 0, 1)],
    ['cast', [f(2147483520, -2147483648, 4294967296), 'int32'], i(2147483520, least, 0)],
    ['cast', [b(0, 1), 'float32'], f(0, 1)],
    ['cast', [b(0, 1), 'int32'], i(0, 1)],
    // Arithmetic on truth values is arithmetic on 0 and 1, and gives int32.
    ['add', [b(1, 1, 0), b(1, 0, 0)], i(2, 1, 0)],
    ['sub', [b(0, 1, 0), b(1, 1, 0)], i(-1, 0, 0)],
    ['mul', [b(1, 1, 0), b(1, 0, 0)], i(1, 0, 0)],
    ['maximum', [b(1, 0), b(0, 0)], i(1, 0)],
    ['sum', [b(1, 1, 1)], scalar('int32', 3)],
    ['mean', [b(1, 0, 1, 0)], scalar('float32', 0.5)],
];

const floats = [
    ['div', [f(1, 0, -1, 1), f(0, 0, 0, -0)], f(Infinity, NaN, -Infinity, -Infinity)],
    ['divNoNan', [f(1, 0, -1), f(0, 0, 2)], f(0, 0, -0.5)],
    ['mod', [f(7, -7, 7, -7), f(3, 3, -3, -3)], f(1, 2, -2, -1)],
    ['mod', [f(5.5, -5.5, 1, 0), f(-2, 2, 0, 5)], f(-0.5, 0.5, NaN, 0)],
    ['floorDiv', [f(7, -7, 7, -7, 0.5), f(2, 2, -2, -2, -1)], i(3, -4, -4, 3, -1)],
    ['pow', [f(-4, -4, 0, 0, -2, NaN, -8), f(1.5, 2, 0, -1, 3, 0, Math.fround(1 / 3))], f(NaN, 16, 1, Infinity, -8, 1, NaN)],
    ['pow', [f(-0, -0, Infinity, Infinity, 2), f(-1, 2, -1, 0.5, 0.5)], f(-Infinity, 0, 0, Infinity, Math.fround(Math.SQRT2))],
    ['round', [f(0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 8388609)], f(0, 2, 2, -0, -2, -2, 8388609)],
    ['floor', [f(-0.5, 0.5, -3, 8388609, Infinity)], f(-1, 0, -3, 8388609, Infinity)],
    ['ceil', [f(-0.5, 0.5, -3, 8388609, -Infinity)], f(-0, 1, -3, 8388609, -Infinity)],
    ['sign', [f(NaN, -0, 0, -3, Infinity)], f(0, 0, 0, -1, 1)],
    ['relu', [f(NaN, -1, 1, Infinity, -Infinity)], f(NaN, 0, 1, Infinity, 0)],
    ['relu6', [f(NaN, -1, 7, Infinity, -Infinity)], f(NaN, 0, 6, 6, 0)],
    ['clipByValue', [f(NaN, -1, 7, Infinity, -Infinity), 0, 1], f(NaN, 0, 1, 1, 0)],
    ['maximum', [f(NaN, 1, NaN, Infinity), f(1, NaN, NaN, 1)], f(NaN, NaN, NaN, Infinity)],
    ['minimum', [f(NaN, 1, NaN, -Infinity), f(1, NaN, NaN, 1)], f(NaN, NaN, NaN, -Infinity)],
    ['max', [f(NaN, 1, 2)], scalar('float32', NaN)],
    ['max', [f(1, NaN, 2)], scalar('float32', NaN)],
    ['min', [f(1, 2, NaN)], scalar('float32', NaN)],
    ['max', [given([2, 2], 'float32', [1, NaN, 3, 4]), 1], f(NaN, 4)],
    ['step', [f(NaN, 0, -1, 2), 0.5], f(NaN, 0.5, 0.5, 1)],
    ['leakyRelu', [f(NaN, -Infinity, Infinity), 0.5], f(NaN, -Infinity, Infinity)],
    ['argMax', [f(1, NaN, 2)], scalar('int32', 2)],
    ['argMax', [f(NaN, 1, 2)], scalar('int32', 2)],
    ['argMin', [f(NaN, 2, 1)], scalar('int32', 2)],
    ['argMax', [f(2, 1, 2)], scalar('int32', 0)],
    ['argMax', [f(-Infinity, -Infinity)], scalar('int32', 0)],
    ['argMin', [f(Infinity, Infinity)], scalar('int32', 0)],
    ['sigmoid', [f(1000, -1000, NaN)], f(1, 0, NaN)],
    ['tanh', [f(1000, -1000, Infinity)], f(1, -1, 1)],
    ['softplus', [f(1000, -1000, Infinity, -Infinity)], f(1000, 0, Infinity, 0)],
    ['logSigmoid', [f(1000, -1000)], f(0, -1000)],
    ['softmax', [f(1000, 1000, -Infinity)], f(0.5, 0.5, 0)],
    ['logSoftmax', [f(1000, 1000, -1000)], f(-0.6931472, -0.6931472, -2000.6931)],
    ['logSumExp', [f(1000, 1000)], scalar('float32', 1000.6932)],
    ['logSumExp', [f(-Infinity, 0)], scalar('float32', 0)],
    ['sinh', [f(89, -89, 100, 0)], f(2.2448062e38, -2.2448062e38, Infinity, 0)],
    ['cosh', [f(89, -89, 100, 0)], f(2.2448062e38, 2.2448062e38, Infinity, 1)],
    ['exp', [f(-Infinity, 100, -100, 0)], f(0, Infinity, 0, 1)],
    ['expm1', [f(-Infinity, 100, -100, 0)], f(-1, Infinity, -1, 0)],
    ['log', [f(0, -0, -1, 1, Infinity)], f(-Infinity, -Infinity, NaN, 0, Infinity)],
    ['log1p', [f(-1, -2, 0, Infinity)], f(-Infinity, NaN, 0, Infinity)],
    ['sqrt', [f(-1, -0, 4, Infinity)], f(NaN, -0, 2, Infinity)],
    ['rsqrt', [f(-1, 0, 4, Infinity)], f(NaN, Infinity, 0.5, 0)],
    ['reciprocal', [f(0, -0, 2, Infinity)], f(Infinity, -Infinity, 0.5, 0)],
    ['asinh', [f(1e20, -1e20, Infinity)], f(46.744849, -46.744849, Infinity)],
    ['acosh', [f(1e20, 0.5, 1, Infinity)], f(46.744849, NaN, 0, Infinity)],
    ['atanh', [f(1, -1, 2, 0)], f(Infinity, -Infinity, NaN, 0)],
    ['asin', [f(1, -1, 1.5, 0)], f(1.5707964, -1.5707964, NaN, 0)],
    ['acos', [f(1, -1, 1.5, 0)], f(0, 3.1415927, NaN, 1.5707964)],
    ['atan', [f(Infinity, -Infinity, 0)], f(1.5707964, -1.5707964, 0)],
    ['atan2', [f(0, -0, 0, -0, 1, Infinity), f(-0, -0, 0, 0, 0, Infinity)], f(3.1415927, -3.1415927, 0, -0, 1.5707964, 0.7853982)],
    ['erf', [f(Infinity, -Infinity, 0, 6)], f(1, -1, 0, 1)],
    ['elu', [f(-1000, NaN, Infinity)], f(-1, NaN, Infinity)],
    ['selu', [f(-1000, NaN, 0)], f(-1.7580993, NaN, 0)],
    ['equal', [f(NaN, 0, Infinity), f(NaN, -0, Infinity)], b(0, 1, 1)],
    ['notEqual', [f(NaN, 0, Infinity), f(NaN, -0, -Infinity)], b(1, 0, 1)],
    ['greaterEqual', [f(NaN, 0, 1), f(1, -0, NaN)], b(0, 1, 0)],
    ['lessEqual', [f(NaN, 0, -Infinity), f(1, -0, Infinity)], b(0, 1, 1)],
    ['mul', [f(0, 3e38, -3e38, 0), f(Infinity, 2, 2, NaN)], f(NaN, Infinity, -Infinity, NaN)],
    ['add', [f(Infinity, Infinity, 3e38), f(-Infinity, 1, 3e38)], f(NaN, Infinity, Infinity)],
    ['square', [f(1e20, -1e20, 1e-30)], f(Infinity, Infinity, 0)],
    ['where', [b(1, 0), f(NaN, NaN), f(1, 2)], f(NaN, 2)],
    ['isNaN', [f(NaN, Infinity, 0)], b(1, 0, 0)],
    ['isInf', [f(NaN, Infinity, -Infinity, 0)], b(0, 1, 1, 0)],
    ['isFinite', [f(NaN, Infinity, -Infinity, 0)], b(0, 0, 0, 1)],
    ['cumsum', [f(1, 2, 3), 0, true, true], f(5, 3, 0)],
    ['topk', [f(1, 3, 3, 2), 3], {values: f(3, 3, 2), indices: i(1, 2, 3)}],
    ['oneHot', [i(0, 3, -1), 3], given([3, 3], 'int32', [1, 0, 0, 0, 0, 0, 0, 0, 0])],
    ['scatterND', [given([3, 1], 'int32', [1, 1, 0]), f(1, 2, 4), [3]], f(4, 3, 0)],
    // An index that does not exist picks zeros.
    ['gather', [f(1, 2, 3), i(0, 3, -1, 2)], f(1, 0, 0, 3)],
    ['gather', [given([2, 2], 'float32', [1, 2, 3, 4]), i(1, 2), 1], given([2, 2], 'float32', [2, 0, 4, 0])],
];

const nothing = (dtype, ...shape) => given(shape, dtype, []);
const empties = [
    ['sum', [nothing('float32', 0)], scalar('float32', 0)],
    ['prod', [nothing('float32', 0)], scalar('float32', 1)],
    ['max', [nothing('float32', 0)], scalar('float32', -Infinity)],
    ['min', [nothing('float32', 0)], scalar('float32', Infinity)],
    ['max', [nothing('int32', 2, 0), 1], i(least, least)],
    ['min', [nothing('int32', 2, 0), 1], i(most, most)],
    ['mean', [nothing('float32', 0)], scalar('float32', NaN)],
    ['mean', [nothing('float32', 2, 0), 1, true], given([2, 1], 'float32', [NaN, NaN])],
    ['all', [nothing('bool', 0)], scalar('bool', 1)],
    ['any', [nothing('bool', 0)], scalar('bool', 0)],
    ['sum', [nothing('float32', 0, 3), 0], f(0, 0, 0)],
    ['argMax', [nothing('float32', 0, 3), 1], nothing('int32', 0)],
    ['matMul', [nothing('float32', 2, 0), nothing('float32', 0, 3)], given([2, 3], 'float32', [0, 0, 0, 0, 0, 0])],
    ['matMul', [nothing('float32', 0, 2), given([2, 3], 'float32', [1, 2, 3, 4, 5, 6])], nothing('float32', 0, 3)],
    ['pad', [nothing('float32', 0, 4), [[1, 0], [0, 0]], 7], given([1, 4], 'float32', [7, 7, 7, 7])],
    ['concat', [[nothing('float32', 0, 2), given([1, 2], 'float32', [1, 2]), nothing('float32', 0, 2)], 0], given([1, 2], 'float32', [1, 2])],
    ['transpose', [nothing('float32', 0, 3)], nothing('float32', 3, 0)],
    ['reverse', [nothing('float32', 0, 3), 1], nothing('float32', 0, 3)],
    ['tile', [f(1, 2), [0]], nothing('float32', 0)],
    ['gather', [f(1, 2), nothing('int32', 0)], nothing('float32', 0)],
    ['cumsum', [nothing('float32', 0)], nothing('float32', 0)],
    ['softmax', [nothing('float32', 0, 3)], nothing('float32', 0, 3)],
    ['add', [nothing('float32', 0, 3), given([1, 3], 'float32', [1, 2, 3])], nothing('float32', 0, 3)],
    ['add', [nothing('float32', 0), f(1)], nothing('float32', 0)],
    ['where', [nothing('bool', 0), nothing('float32', 0), nothing('float32', 0)], nothing('float32', 0)],
    ['stack', [[nothing('float32', 0), nothing('float32', 0)]], nothing('float32', 2, 0)],
    ['slice', [f(1, 2), [2], [0]], nothing('float32', 0)],
    ['oneHot', [nothing('int32', 0), 3], nothing('int32', 0, 3)],
    ['broadcastTo', [nothing('float32', 0, 1), [0, 3]], nothing('float32', 0, 3)],
    ['unique', [nothing('float32', 0)], {values: nothing('float32', 0), indices: nothing('int32', 0)}],
    ['whereAsync', [nothing('bool', 0)], nothing('int32', 0, 1)],
    ['conv2d', [nothing('float32', 0, 4, 4, 1), given([2, 2, 1, 3], 'float32', Array(12).fill(1)), 1, 'valid'], nothing('float32', 0, 3, 3, 3)],
    ['maxPool', [nothing('float32', 0, 4, 4, 2), 2, 2, 'valid'], nothing('float32', 0, 2, 2, 2)],
    ['image.resizeBilinear', [nothing('float32', 0, 2, 2, 1), [4, 4]], nothing('float32', 0, 4, 4, 1)],
];

module.exports = async (record) => {
    for (const [op, args, result] of [...wholeNumbers, ...casts, ...floats, ...empties]) record.right('worked out by hand', op, args, result);
    record.wrong('there is no largest among none', 'argMax', nothing('float32', 0));
    record.wrong('there is no largest among none', 'argMin', nothing('float32', 3, 0), 1);

    // A driver cuts loops at 65,535 turns.
    const ones = (...shape) => given(shape, 'float32', Array(shape.reduce((x, y) => x * y, 1)).fill(1));
    record.right('counted', 'sum', [ones(100000)], scalar('float32', 100000));
    record.right('counted', 'sum', [ones(70000, 1), 0], f(70000));
    record.right('counted', 'mean', [ones(70000)], scalar('float32', 1));
    record.right('counted', 'matMul', [ones(1, 70000), ones(70000, 1)], given([1, 1], 'float32', [70000]));
    record.right('counted', 'cumsum', [ones(66000)], given([66000], 'float32', Array.from({length: 66000}, (_, k) => k + 1)));
    const last = ones(70000);
    last.data[69999] = 2;
    record.right('counted', 'argMax', [last], scalar('int32', 69999));
    record.right('counted', 'max', [last], scalar('float32', 2));

    // Angles far from 0, small arguments, large powers.
    for (const op of ['sin', 'cos']) await record.call(op, f(1000, -31415.926, 123456.7, 1e6, 222031360, 1e9));
    await record.call('tan', f(1000, -31415.926, 123456.7));
    for (const op of ['sinh', 'tanh', 'expm1', 'log1p', 'asinh', 'atanh', 'erf', 'softplus']) await record.call(op, f(1e-3, -1e-3, 1e-4, 1e-7, -1e-7, 1e-20, 0.02, -0.02));
    for (const op of ['exp', 'cosh', 'sinh']) await record.call(op, f(5, 10, 20, 30, 40, 60, 80, 88));
    for (const op of ['log', 'log1p', 'sqrt', 'rsqrt', 'asinh', 'acosh']) await record.call(op, f(1.5, 10, 1e3, 1e6, 1e10, 1e20, 3e38));
    await record.call('pow', f(3, 1.0009765625, 10, 2, 0.5, 7), f(20, 10000, 30, 100, 100, 11));
    await record.call('pow', f(3, -3, 9, -2, 5), i(20, 19, 11, 31, 13));
};
