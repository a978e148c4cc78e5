'use strict';

const {tensor, shape, permute, missing} = require('../lib/values');

const nhwcToNchw = [0, 3, 1, 2];
const roundings = ['floor', 'round', 'ceil'];

// Padding as callers write it, for windows of the given extent: by name, one number, or pairs in the order of the image's axes.
function padding(rng, window, format = 'NHWC') {
    const kind = rng.int(0, 4);
    if (kind < 2) return rng.pick(['valid', 'same']);
    const most = Math.min(2, Math.min(...window) - 1);
    if (kind === 2) return rng.int(0, most);
    const pairs = window.map(() => [rng.int(0, most), rng.int(0, most)]);
    return format === 'NHWC' ? [[0, 0], ...pairs, [0, 0]] : [[0, 0], [0, 0], ...pairs];
}

const mode = (rng, pad) => (typeof pad === 'string' || rng.chance(0.5) ? missing : rng.pick(roundings));
const single = (rng, pair) => (pair.every((value) => value === pair[0]) && rng.chance(0.6) ? pair[0] : pair);

// Strides or dilations may be above 1, not both.
function steps(rng, count = 2) {
    const ones = Array(count).fill(1);
    const larger = Array.from({length: count}, () => rng.int(1, 3));
    return rng.chance(0.65) ? [larger, ones] : [ones, larger];
}

// An image in which a window of the given size with the given dilations fits.
const extentsFor = (rng, window, dilations) => window.map((size, axis) => (size - 1) * dilations[axis] + 1 + rng.int(0, 5));
const isNamed = (value) => typeof value === 'string';

// The reference takes the window and the stride of the height for the width too when the padding is a number: it is asked with pairs.
async function convolve(record, op, args) {
    const [x, filter, strides, pad, format, ...rest] = args;
    if (typeof pad !== 'number') return record.call(op, ...args);
    const sides = [[pad, pad], [pad, pad]];
    const pairs = format === 'NCHW' ? [[0, 0], [0, 0], ...sides] : [[0, 0], ...sides, [0, 0]];
    await record.derived('see above', op, args, (call) => call(op, [x, filter, strides, pairs, format, ...rest]));
}

async function flat(record, rng) {
    for (let i = 0; i < 130; ++i) {
        const window = [rng.int(1, 4), rng.int(1, 4)];
        const [strides, dilations] = steps(rng);
        const [h, w] = extentsFor(rng, window, dilations);
        const [inner, outer] = [rng.int(1, 4), rng.int(1, 5)];
        const nchw = i % 4 === 3;
        const format = nchw ? 'NCHW' : 'NHWC';
        const pad = padding(rng, window, format);
        const lead = i % 3 === 2 ? [] : [rng.int(1, 3)];
        const x = tensor(rng, nchw ? [...lead, inner, h, w] : [...lead, h, w, inner], 'float32', i % 2 ? 'unit' : 'eighths');
        const filter = tensor(rng, [...window, inner, outer], 'float32', i % 2 ? 'unit' : 'eighths');
        await convolve(record, 'conv2d', [x, filter, single(rng, strides), pad, nchw || i % 2 ? format : missing, dilations.some((d) => d > 1) ? single(rng, dilations) : missing, mode(rng, pad)]);
    }
    await record.call('conv2d', tensor(rng, [1, 16, 16, 8], 'float32', 'unit'), tensor(rng, [3, 3, 8, 16], 'float32', 'unit'), 1, 'same');
    await record.call('conv2d', tensor(rng, [1, 20, 20, 3], 'float32', 'unit'), tensor(rng, [5, 5, 3, 4], 'float32', 'unit'), 2, 'same');
    await record.bad('conv2d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2, 3, 1]), 1, 'valid');
    await record.bad('conv2d', tensor(rng, [4, 4]), tensor(rng, [2, 2, 1, 1]), 1, 'valid');
    await record.bad('conv2d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2, 2]), 1, 'valid');
    await record.bad('conv2d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2, 2, 1]), 2, 'valid', 'NHWC', 2);
    await record.bad('conv2d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2, 2, 1]), 0, 'valid');
    await record.bad('conv2d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2, 2, 1]), 1, 'same', 'NHWC', 1, 'floor');

    for (let i = 0; i < 60; ++i) {
        const window = [rng.int(1, 4)];
        const [strides, dilations] = steps(rng, 1);
        const [length] = extentsFor(rng, window, dilations);
        const [inner, outer] = [rng.int(1, 3), rng.int(1, 4)];
        const lead = i % 3 === 2 ? [] : [rng.int(1, 3)];
        const pad = rng.pick(['valid', 'same', 'same', rng.int(0, window[0] - 1)]);
        const x = tensor(rng, [...lead, length, inner]);
        const filter = tensor(rng, [...window, inner, outer]);
        const args = [x, filter, strides[0], pad, i % 2 || dilations[0] > 1 ? 'NWC' : missing, ...(dilations[0] > 1 ? dilations : [])];
        if (isNamed(pad)) {
            await record.call('conv1d', ...args);
            continue;
        }
        await record.derived('the reference pads the height of 1 as well when the padding is a number', 'conv1d', args, async (call) => {
            const image = {...x, shape: [...lead, 1, length, inner]};
            const y = await call('conv2d', [image, {...filter, shape: [1, ...filter.shape]}, [1, strides[0]], [[0, 0], [0, 0], [pad, pad], [0, 0]], 'NHWC', [1, dilations[0]]]);
            return {...y, shape: y.shape.filter((_, axis) => axis !== y.shape.length - 3)};
        });
    }
    await record.bad('conv1d', tensor(rng, [2, 4, 2]), tensor(rng, [2, 3, 1]), 1, 'valid');
    await record.bad('conv1d', tensor(rng, [4, 2]), tensor(rng, [2, 2, 1]), 2, 'valid', 'NWC', 2);
    await record.bad('conv1d', tensor(rng, [4, 2]), tensor(rng, [2, 2, 1]), 1, 'valid', 'NCW');

    for (let i = 0; i < 90; ++i) {
        const window = [rng.int(1, 4), rng.int(1, 4)];
        const [strides, dilations] = steps(rng);
        const [h, w] = extentsFor(rng, window, dilations);
        const [channels, multiplier] = [rng.int(1, 4), rng.int(1, 3)];
        const pad = padding(rng, window);
        const lead = i % 3 === 2 ? [] : [rng.int(1, 3)];
        const x = tensor(rng, [...lead, h, w, channels]);
        const filter = tensor(rng, [...window, channels, multiplier]);
        const rest = [dilations.some((d) => d > 1) ? single(rng, dilations) : missing, mode(rng, pad)];
        if (i % 5 === 4 && lead.length === 1 && isNamed(pad)) {
            await record.derived('the CPU reference lacks NCHW', 'depthwiseConv2d', [permute(x, nhwcToNchw), filter, single(rng, strides), pad, 'NCHW', ...rest],
                async (call) => permute(await call('depthwiseConv2d', [x, filter, strides, pad, 'NHWC', ...rest]), nhwcToNchw));
        } else {
            await convolve(record, 'depthwiseConv2d', [x, filter, single(rng, strides), pad, i % 2 ? 'NHWC' : missing, ...rest]);
        }
    }
    await record.bad('depthwiseConv2d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2, 3, 1]), 1, 'valid');
    await record.bad('depthwiseConv2d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2, 2]), 1, 'valid');
    await record.bad('depthwiseConv2d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2, 2, 1]), 2, 'valid', 'NHWC', 2);

    for (let i = 0; i < 40; ++i) {
        const window = [rng.int(1, 3), rng.int(1, 3)];
        const [strides, dilations] = steps(rng);
        const [h, w] = extentsFor(rng, window, dilations);
        const [channels, multiplier] = [rng.int(1, 3), rng.int(1, 2)];
        const lead = i % 3 === 2 ? [] : [rng.int(1, 2)];
        await record.call('separableConv2d', tensor(rng, [...lead, h, w, channels]), tensor(rng, [...window, channels, multiplier]), tensor(rng, [1, 1, channels * multiplier, rng.int(1, 4)]), single(rng, strides), rng.pick(['valid', 'same']), dilations.some((d) => d > 1) ? single(rng, dilations) : missing);
    }
    await record.bad('separableConv2d', tensor(rng, [4, 4, 1]), tensor(rng, [2, 2, 1, 2]), tensor(rng, [1, 1, 3, 4]), 1, 'valid');
    await record.bad('separableConv2d', tensor(rng, [4, 4, 1]), tensor(rng, [2, 2, 1, 2]), tensor(rng, [2, 1, 2, 4]), 1, 'valid');

    for (let i = 0; i < 40; ++i) {
        const window = [rng.int(1, 3), rng.int(1, 3)];
        const strides = [rng.int(1, 3), rng.int(1, 3)];
        const dilations = [rng.int(1, 2), rng.int(1, 2)];
        const [h, w] = extentsFor(rng, window, dilations);
        const depth = rng.int(1, 3);
        const lead = i % 3 === 2 ? [] : [rng.int(1, 2)];
        await record.call('dilation2d', tensor(rng, [...lead, h, w, depth]), tensor(rng, [...window, depth]), single(rng, strides), rng.pick(['valid', 'same']), i % 2 ? single(rng, dilations) : missing);
    }
    await record.bad('dilation2d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2, 3]), 1, 'valid');
    await record.bad('dilation2d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2]), 1, 'valid');
}

const outputOf = (extent, window, stride, pad) => (pad === 'same' ? Math.ceil(extent / stride) : Math.ceil((extent - window + 1) / stride));

async function transposed(record, rng) {
    for (let i = 0; i < 70; ++i) {
        const three = i % 3 === 2;
        const count = three ? 3 : 2;
        const window = Array.from({length: count}, () => rng.int(1, 3));
        const strides = Array.from({length: count}, () => rng.int(1, 3));
        const large = window.map((size) => size + rng.int(0, 4));
        const pad = rng.pick(['valid', 'same']);
        const small = large.map((extent, axis) => outputOf(extent, window[axis], strides[axis], pad));
        const [inner, outer] = [rng.int(1, 3), rng.int(1, 3)];
        const lead = i % 4 === 3 ? [] : [rng.int(1, 2)];
        await record.call(three ? 'conv3dTranspose' : 'conv2dTranspose', tensor(rng, [...lead, ...small, inner]), tensor(rng, [...window, outer, inner]), [...lead, ...large, outer], single(rng, strides), pad);
    }
    for (let i = 0; i < 12; ++i) {
        const window = [rng.int(2, 3), rng.int(2, 3)];
        const stride = rng.int(1, 2);
        const pairs = window.map(() => [rng.int(0, 1), rng.int(0, 1)]);
        const small = [rng.int(1, 4), rng.int(1, 4)];
        const large = small.map((extent, axis) => (extent - 1) * stride + window[axis] - pairs[axis][0] - pairs[axis][1]);
        if (Math.min(...large) < 1) continue;
        await record.call('conv2dTranspose', tensor(rng, [1, ...small, 2]), tensor(rng, [...window, 3, 2]), [1, ...large, 3], stride, [[0, 0], ...pairs, [0, 0]]);
    }
    await record.bad('conv2dTranspose', tensor(rng, [1, 2, 2, 3]), tensor(rng, [2, 2, 1, 4]), [1, 3, 3, 1], 1, 'valid');
    await record.bad('conv2dTranspose', tensor(rng, [1, 2, 2, 3]), tensor(rng, [2, 2, 1]), [1, 3, 3, 1], 1, 'valid');
    await record.bad('conv3dTranspose', tensor(rng, [1, 2, 2, 2, 3]), tensor(rng, [2, 2, 2, 1, 4]), [1, 3, 3, 3, 1], 1, 'valid');
}

async function solid(record, rng) {
    for (let i = 0; i < 50; ++i) {
        const window = [rng.int(1, 3), rng.int(1, 3), rng.int(1, 3)];
        const [strides, dilations] = steps(rng, 3);
        const extents = extentsFor(rng, window, dilations).map((extent, axis) => Math.min(extent, (window[axis] - 1) * dilations[axis] + 3));
        const [inner, outer] = [rng.int(1, 2), rng.int(1, 3)];
        const lead = i % 3 === 2 ? [] : [rng.int(1, 2)];
        await record.call('conv3d', tensor(rng, [...lead, ...extents, inner]), tensor(rng, [...window, inner, outer]), single(rng, strides), rng.pick(['valid', 'same']), i % 2 || dilations.some((d) => d > 1) ? 'NDHWC' : missing, dilations.some((d) => d > 1) ? single(rng, dilations) : missing);
    }
    await record.bad('conv3d', tensor(rng, [4, 4, 4, 2]), tensor(rng, [2, 2, 2, 3, 1]), 1, 'valid');
    await record.bad('conv3d', tensor(rng, [4, 4, 2]), tensor(rng, [2, 2, 2, 2, 1]), 1, 'valid');
    await record.bad('conv3d', tensor(rng, [4, 4, 4, 2]), tensor(rng, [2, 2, 2, 2, 1]), 2, 'valid', 'NDHWC', 2);
}

async function fused(record, rng) {
    const activations = [missing, 'linear', 'relu', 'relu6', 'elu', 'sigmoid', 'leakyrelu', 'prelu'];
    for (let i = 0; i < 80; ++i) {
        const depthwise = i % 2 === 1;
        const window = [rng.int(1, 3), rng.int(1, 3)];
        const [strides, dilations] = steps(rng);
        const [h, w] = extentsFor(rng, window, dilations);
        const [inner, outer] = [rng.int(1, 3), rng.int(1, 3)];
        const channels = depthwise ? inner * outer : outer;
        const activation = activations[(i >> 1) % activations.length];
        const args = {x: tensor(rng, [rng.int(1, 2), h, w, inner]), filter: tensor(rng, [...window, inner, outer]), strides: single(rng, strides), pad: rng.pick(['valid', 'same'])};
        if (dilations.some((d) => d > 1) || i % 3 === 0) Object.assign(args, {dataFormat: 'NHWC', dilations});
        if (typeof activation === 'string') args.activation = activation;
        if (activation === 'leakyrelu' && i % 4 < 2) args.leakyreluAlpha = 0.3;
        if (activation === 'prelu') args.preluActivationWeights = tensor(rng, [channels]);
        if (i % 5 !== 4) args.bias = tensor(rng, [channels]);
        await record.call(depthwise ? 'fused.depthwiseConv2d' : 'fused.conv2d', args);
    }
    await record.bad('fused.conv2d', {x: tensor(rng, [1, 4, 4, 2]), filter: tensor(rng, [2, 2, 3, 1]), strides: 1, pad: 'valid'});
    await record.bad('fused.conv2d', {x: tensor(rng, [1, 4, 4, 2]), filter: tensor(rng, [2, 2, 2, 3]), strides: 1, pad: 'valid', bias: tensor(rng, [2])});
    await record.bad('fused.depthwiseConv2d', {x: tensor(rng, [1, 4, 4, 2]), filter: tensor(rng, [2, 2, 3, 1]), strides: 1, pad: 'valid'});
}

module.exports = async (record, rng) => {
    await flat(record, rng);
    await transposed(record, rng);
    await solid(record, rng);
    await fused(record, rng);
};
