'use strict';

const {createHash} = require('crypto');

// The shortest decimal that float32 reads back as the same number.
function shortest(value) {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
    for (let digits = 1; digits < 9; ++digits) {
        const short = Number(value.toPrecision(digits));
        if (Math.fround(short) === value) return short;
    }
    return Number(value.toPrecision(9));
}

function number(value) {
    if (Number.isNaN(value)) return '"NaN"';
    if (!Number.isFinite(value)) return value > 0 ? '"Infinity"' : '"-Infinity"';
    return Object.is(value, -0) ? '-0.0' : String(value);
}

// JSON with the format's spelling of the numbers that JSON lacks.
function encode(value, float = false) {
    if (typeof value === 'number') return number(float ? shortest(value) : value);
    if (Array.isArray(value)) return `[${value.map((entry) => encode(entry, float)).join(',')}]`;
    if (value === null || typeof value !== 'object') return JSON.stringify(value);
    const floats = value.dtype === 'float32' || value.dtype === 'complex64' || value.typed === 'Float32Array';
    return `{${Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}:${encode(entry, key === 'data' && floats)}`).join(',')}}`;
}

// A line of a case file; its id is the hash of its content.
function line(content) {
    const text = encode(content);
    const id = createHash('sha256').update(text).digest('hex').slice(0, 16);
    return {id, text: `{"id":"${id}",${text.slice(1)}`};
}

module.exports = {encode, line};
