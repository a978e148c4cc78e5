'use strict';

// TensorFlow's strided slice, from its definition (tensorflow.org/api_docs/python/tf/strided_slice). The masks have one bit for each
// entry of begin, end and strides: begin or end is open, the entry stands for all axes that are left over, it inserts an axis of 1, or it
// takes one index and drops the axis.
function stridedSlice({shape, dtype, data}, begin, end, strides, beginMask = 0, endMask = 0, ellipsisMask = 0, newAxisMask = 0, shrinkMask = 0) {
    const bit = (mask, i) => ((mask >> i) & 1) === 1;
    const consumed = begin.filter((_, i) => !bit(ellipsisMask, i) && !bit(newAxisMask, i)).length;
    const picks = [];  // for each axis of x the positions that it keeps
    const result = [];
    const whole = (axis) => {
        picks.push(Array.from({length: shape[axis]}, (_, i) => i));
        result.push(shape[axis]);
    };
    for (let i = 0; i < begin.length; ++i) {
        if (bit(ellipsisMask, i)) {
            const left = shape.length - consumed;
            for (let k = 0; k < left; ++k) whole(picks.length);
        } else if (bit(newAxisMask, i)) {
            result.push(1);
        } else {
            const extent = shape[picks.length];
            const step = strides[i];
            const fromFront = (value) => (value < 0 ? value + extent : value);
            if (bit(shrinkMask, i)) {
                picks.push([fromFront(begin[i])]);
                continue;
            }
            const [low, high] = step > 0 ? [0, extent] : [-1, extent - 1];
            const clamp = (value) => Math.min(Math.max(fromFront(value), low), high);
            const first = bit(beginMask, i) ? (step > 0 ? 0 : extent - 1) : clamp(begin[i]);
            const last = bit(endMask, i) ? (step > 0 ? extent : -1) : clamp(end[i]);
            const positions = [];
            for (let at = first; step > 0 ? at < last : at > last; at += step) positions.push(at);
            picks.push(positions);
            result.push(positions.length);
        }
    }
    while (picks.length < shape.length) whole(picks.length);
    let flat = [0];
    picks.forEach((positions, axis) => {
        flat = flat.flatMap((base) => positions.map((at) => base * shape[axis] + at));
    });
    return {shape: result, dtype, data: flat.map((at) => data[at])};
}

module.exports = {stridedSlice};
