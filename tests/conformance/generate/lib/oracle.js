'use strict';

// Calls TensorFlow.js on its CPU backend with arguments in the case format, and brings what comes back into it.

const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');

const isTensor = (value) => value !== null && typeof value === 'object' && Array.isArray(value.shape) && 'dtype' in value && 'data' in value;

function toTf(value) {
    if (Array.isArray(value)) return value.map(toTf);
    if (value === null || typeof value !== 'object') return value;
    if (value.undefined === true) return undefined;
    if (value.fn === 'ones') return (length) => tf.ones([length]);
    if (value.fn) return value.fn.split('.').reduce((object, name) => object[name], tf);
    if (value.imagedata) return {...value.imagedata, data: Uint8Array.from(value.imagedata.data)};
    if (value.typed) return globalThis[value.typed].from(value.data);
    if (!isTensor(value)) return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toTf(entry)]));
    if (value.dtype === 'complex64') {
        const part = (offset) => tf.tensor(value.data.filter((_, i) => i % 2 === offset), value.shape);
        return tf.complex(part(0), part(1));
    }
    return tf.tensor(value.data, value.shape, value.dtype);
}

function fromTf(value) {
    if (value instanceof tf.Tensor) {
        const {shape, dtype} = value;
        let data = Array.from(value.dataSync());
        // The reference keeps int32 values behind a cast to float32.
        if (dtype === 'float32' || dtype === 'complex64') data = data.map(Math.fround);
        if (dtype === 'bool') data = data.map(Number);
        return {shape: shape.slice(), dtype, data};
    }
    if (value instanceof tf.TensorBuffer) return {buffer: {shape: value.shape.slice(), dtype: value.dtype, data: Array.from(value.values)}};
    if (ArrayBuffer.isView(value)) return {typed: value.constructor.name, data: Array.from(value)};
    if (Array.isArray(value)) return value.map(fromTf);
    if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fromTf(entry)]));
    return value;
}

async function call(op, args) {
    tf.engine().startScope();
    try {
        const tensors = args.map(toTf);
        const names = op.split('.');
        if (names[0] === 'Tensor') return fromTf(tensors[0][names[1]](...tensors.slice(1)));
        const target = names.slice(0, -1).reduce((object, name) => object[name], tf);
        return fromTf(await target[names[names.length - 1]](...tensors));
    } finally {
        tf.engine().endScope();
    }
}

module.exports = {call, isTensor, tf};
