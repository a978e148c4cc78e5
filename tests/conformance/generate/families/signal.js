'use strict';

const {tensor, shape, complex, given, missing} = require('../lib/values');

module.exports = async (record, rng) => {
    const lengths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 17, 25, 30, 31, 32, 49, 60, 64, 97, 100, 121, 128, 210, 243, 256];
    for (const [i, n] of lengths.entries()) {
        const lead = n > 40 ? [] : shape(rng, i % 3, {most: 4});
        for (const op of ['fft', 'ifft']) await record.call(op, complex(rng, [...lead, n]));
        await record.call('rfft', tensor(rng, [...lead, n]), i % 4 === 3 ? rng.int(1, n + 5) : missing);
        if (n === 1) continue;
        const spectrum = complex(rng, [...lead, n]);
        await record.derived('the reference puts an axis in front of a single transform', 'irfft', [spectrum], async (call) => {
            const y = await call('irfft', [spectrum]);
            return {...y, shape: [...lead, 2 * (n - 1)]};
        });
    }
    for (const n of [500, 509, 1000, 1024]) await record.call('fft', complex(rng, [n]));
    for (const name of ['spectral.fft', 'spectral.ifft']) await record.call(name, complex(rng, [2, 6]));
    await record.call('spectral.rfft', tensor(rng, [3, 8]));
    await record.call('spectral.irfft', complex(rng, [3, 5]));
    await record.bad('fft', tensor(rng, [4]));
    await record.bad('ifft', tensor(rng, [4]));
    await record.bad('rfft', complex(rng, [4]));

    for (const n of [1, 2, 3, 4, 7, 8, 16, 31, 50]) {
        if (n > 1) {
            await record.call('signal.hannWindow', n);
            await record.call('signal.hammingWindow', n);
        }
        await record.call('enclosingPowerOfTwo', n);
        if (n > 1) await record.call('cosineWindow', n, 0.5, 0.25);
    }
    for (let i = 0; i < 30; ++i) {
        const length = rng.int(1, 30);
        const frame = rng.int(1, 8);
        const step = rng.int(1, 5);
        await record.call('signal.frame', tensor(rng, [length]), frame, step, ...(i % 2 ? [true, i % 4 === 3 ? rng.int(-3, 3) : missing] : []));
        const fftLength = rng.int(frame, frame + 6);
        if (length >= frame && frame > 1) await record.call('signal.stft', tensor(rng, [length]), frame, step, i % 3 ? fftLength : missing, i % 3 === 2 ? {fn: rng.pick(['signal.hammingWindow', 'signal.hannWindow', 'ones'])} : missing);
    }
};
