'use strict';

const {tensor, given, missing} = require('../lib/values');

async function resizes(record, rng) {
    for (const op of ['image.resizeBilinear', 'image.resizeNearestNeighbor']) {
        for (let i = 0; i < 60; ++i) {
            const lead = i % 3 === 2 ? [] : [rng.int(1, 3)];
            const x = tensor(rng, [...lead, rng.int(1, 7), rng.int(1, 7), rng.int(1, 3)], i % 5 === 4 ? 'int32' : 'float32', 'whole');
            const options = [[missing, missing], [false, false], [true, false], [false, true]][i % 4];
            await record.call(op, x, [rng.int(1, 10), rng.int(1, 10)], ...options);
        }
        await record.call(op, tensor(rng, [1, 12, 9, 2]), [30, 25]);
        await record.bad(op, tensor(rng, [4, 4]), [2, 2]);
        await record.bad(op, tensor(rng, [4, 4, 1]), [2, 2], true, true);
    }
    for (let i = 0; i < 40; ++i) {
        const batch = rng.int(1, 3);
        const boxes = rng.int(0, 3);
        const corners = Array.from({length: boxes}, () => [rng.int(-2, 6), rng.int(-2, 6), rng.int(2, 10), rng.int(2, 10)].map((v) => v / 8)).flat();
        const method = rng.pick([missing, 'bilinear', 'nearest']);
        await record.call('image.cropAndResize', tensor(rng, [batch, rng.int(2, 6), rng.int(2, 6), rng.int(1, 3)]), given([boxes, 4], 'float32', corners), given([boxes], 'int32', Array.from({length: boxes}, () => rng.int(0, batch - 1))), [rng.int(1, 5), rng.int(1, 5)], method, method === missing || i % 2 ? missing : rng.int(-9, 9));
    }
    await record.bad('image.cropAndResize', tensor(rng, [4, 4, 1]), given([1, 4], 'float32', [0, 0, 1, 1]), given([1], 'int32', [0]), [2, 2]);
    await record.bad('image.cropAndResize', tensor(rng, [1, 4, 4, 1]), given([1, 3], 'float32', [0, 0, 1]), given([1], 'int32', [0]), [2, 2]);
    await record.bad('image.cropAndResize', tensor(rng, [1, 4, 4, 1]), given([1, 4], 'float32', [0, 0, 1, 1]), given([2], 'int32', [0, 0]), [2, 2]);
    await record.bad('image.cropAndResize', tensor(rng, [1, 4, 4, 1]), given([1, 4], 'float32', [0, 0, 1, 1]), given([1], 'int32', [0]), [0, 2]);
}

async function colours(record, rng) {
    for (let i = 0; i < 16; ++i) {
        const rest = Array.from({length: 1 + (i % 4)}, () => rng.int(1, 3));
        await record.call('image.grayscaleToRGB', tensor(rng, [rng.int(1, 3), ...rest, 1], i % 3 === 2 ? 'int32' : 'float32', 'whole'));
        await record.call('image.rgbToGrayscale', tensor(rng, [rng.int(1, 3), ...rest, 3], i % 3 === 2 ? 'int32' : 'float32', 'positive'));
        await record.call('image.flipLeftRight', tensor(rng, [rng.int(1, 3), rng.int(1, 5), rng.int(1, 6), rng.int(1, 3)]));
    }
    await record.bad('image.grayscaleToRGB', tensor(rng, [2, 2]));
    await record.bad('image.grayscaleToRGB', tensor(rng, [3]));
    await record.bad('image.rgbToGrayscale', tensor(rng, [2, 2, 2]));
    await record.bad('image.flipLeftRight', tensor(rng, [3, 3, 1]));

    for (let i = 0; i < 16; ++i) {
        const channels = i % 2 ? 3 : 1;
        const x = tensor(rng, [rng.int(3, 8), rng.int(3, 8), channels], 'float32', 'whole');
        x.data = x.data.map(() => rng.int(0, 255));
        const method = i % 4 < 2 ? 'binary' : 'otsu';
        await record.call('image.threshold', x, method, rng.chance(0.5), method === 'binary' ? rng.int(1, 9) / 10 : missing);
    }
}

async function suppressions(record, rng) {
    for (let i = 0; i < 30; ++i) {
        const count = rng.int(1, 14);
        const boxes = given([count, 4], 'float32', Array.from({length: count}, () => {
            const [y, x] = [rng.int(0, 24) / 8, rng.int(0, 24) / 8];
            return [y, x, y + rng.int(2, 12) / 8, x + rng.int(2, 12) / 8];
        }).flat());
        // Different scores: among equals the order is nobody's business.
        const scores = given([count], 'float32', rng.shuffle(Array.from({length: count}, (_, j) => Math.fround((j + 1) / (count + 1)))));
        const limits = [rng.int(1, 10), rng.pick([0.25, 0.5, 0.75]), rng.pick([missing, 0, 0.3])];
        const suffix = i % 2 ? 'Async' : '';
        await record.call(`image.nonMaxSuppression${suffix}`, boxes, scores, ...(i % 6 === 5 ? limits.slice(0, 1) : limits));
        const padded = [boxes, scores, limits[0], limits[1], limits[2] === missing ? 0 : limits[2], rng.chance(0.6)];
        if (padded[5]) {
            await record.derived('the reference fills up no further than there are boxes', `image.nonMaxSuppressionPadded${suffix}`, padded, async (call) => {
                const result = await call('image.nonMaxSuppressionPadded', padded);
                const indices = Array.from({length: limits[0]}, (_, j) => result.selectedIndices.data[j] || 0);
                return {...result, selectedIndices: given([limits[0]], 'int32', indices)};
            });
        } else {
            await record.call(`image.nonMaxSuppressionPadded${suffix}`, ...padded);
        }
        const soft = i % 3 ? 0.5 : 0;
        await record.call(`image.nonMaxSuppressionWithScore${suffix}`, boxes, scores, limits[0], soft ? 1 : limits[1], limits[2] === missing ? 0 : limits[2], soft);
    }
    const two = given([2, 4], 'float32', [0, 0, 1, 1, 2, 2, 3, 3]);
    await record.bad('image.nonMaxSuppression', two, tensor(rng, [3]), 2);
    await record.bad('image.nonMaxSuppression', tensor(rng, [2, 3]), tensor(rng, [2]), 2);
    await record.bad('image.nonMaxSuppression', two, tensor(rng, [2]), 2, 1.5);
    await record.bad('image.nonMaxSuppression', tensor(rng, [4]), tensor(rng, [2]), 2);
}

async function warps(record, rng) {
    for (let i = 0; i < 24; ++i) {
        const x = tensor(rng, [rng.int(1, 2), rng.int(2, 7), rng.int(2, 7), rng.pick([1, 3, 4])]);
        const fill = i % 3 === 0 ? missing : x.shape[3] === 3 && i % 3 === 1 ? [1, 2, 3] : rng.int(0, 5);
        await record.call('image.rotateWithOffset', x, rng.int(-60, 60) / 17, fill, i % 2 || fill === missing ? missing : rng.pick([0.25, 0.5, [0.25, 0.75]]));
    }
    await record.bad('image.rotateWithOffset', tensor(rng, [3, 3, 1]), 1);
    const fills = ['constant', 'reflect', 'wrap', 'nearest'];
    for (let i = 0; i < 48; ++i) {
        const batch = rng.int(1, 2);
        const rows = i % 3 === 2 ? 1 : batch;
        const near = (value, spread) => Math.fround(value + rng.int(-spread, spread) / 37);
        const transforms = Array.from({length: rows}, () => [near(1, 12), near(0, 12), near(0.4, 60), near(0, 12), near(1, 12), near(0.4, 60), i % 4 === 3 ? near(0, 1) : 0, 0]).flat();
        const x = tensor(rng, [batch, rng.int(2, 6), rng.int(2, 6), rng.int(1, 2)]);
        const rest = [i % 2 ? 'bilinear' : 'nearest', fills[(i >> 1) % 4], i % 5 === 4 ? rng.int(-5, 5) : missing, i % 6 === 5 ? [rng.int(1, 6), rng.int(1, 6)] : missing];
        await record.derived('the reference leaves all images but the first empty', 'image.transform', [x, given([rows, 8], 'float32', transforms), ...rest], async (call) => {
            const size = x.data.length / batch;
            const images = [];
            for (let b = 0; b < batch; ++b) {
                const image = given([1, ...x.shape.slice(1)], 'float32', [...x.data.slice(b * size, (b + 1) * size)]);
                const row = rows === 1 ? 0 : b * 8;
                images.push(await call('image.transform', [image, given([1, 8], 'float32', transforms.slice(row, row + 8)), ...rest]));
            }
            return {...images[0], shape: [batch, ...images[0].shape.slice(1)], data: images.flatMap((image) => [...image.data])};
        });
    }
    await record.bad('image.transform', tensor(rng, [3, 3, 1]), tensor(rng, [1, 8]));
    await record.bad('image.transform', tensor(rng, [1, 3, 3, 1]), tensor(rng, [1, 7]));
    await record.bad('image.transform', tensor(rng, [3, 3, 3, 1]), tensor(rng, [2, 8]));
}

module.exports = async (record, rng) => {
    await resizes(record, rng);
    await colours(record, rng);
    await suppressions(record, rng);
    await warps(record, rng);
};
