'use strict';

const {tensor, given, sizeOf} = require('../lib/values');

module.exports = async (record, rng) => {
    for (let i = 0; i < 16; ++i) {
        const [width, height] = [rng.int(1, 5), rng.int(1, 5)];
        const data = Array.from({length: width * height * 4}, () => rng.int(0, 255));
        await record.call('browser.fromPixels', {imagedata: {data, width, height}}, 1 + (i % 4));
        const channels = [1, 3, 4][i % 3];
        const extents = i % 5 === 4 ? [height, width] : [height, width, channels];
        const whole = i % 2 === 0;
        const bytes = Array.from({length: sizeOf(extents)}, () => (whole ? rng.int(0, 255) : Math.fround(rng.int(0, 100) / 100)));
        await record.call('browser.toPixels', given(extents, whole ? 'int32' : 'float32', bytes));
    }
    await record.bad('browser.toPixels', tensor(rng, []));
    await record.bad('browser.toPixels', tensor(rng, [2, 2, 2], 'float32', 'probability'));
    await record.bad('browser.toPixels', given([1, 2], 'int32', [0, 256]));
    await record.bad('browser.toPixels', given([1, 2], 'float32', [0, 1.5]));
};
