'use strict';

const {call, isTensor} = require('./oracle');
const {line} = require('./encode');
const {wrongHere} = require('./wrong');

// Trailing arguments that were not given are left out.
function cut(args) {
    const result = args.slice();
    while (result.length > 0 && result[result.length - 1] && result[result.length - 1].undefined === true) result.pop();
    return result;
}

const tensorsIn = (value) => {
    if (isTensor(value)) return [value];
    return value !== null && typeof value === 'object' ? Object.values(value).flatMap(tensorsIn) : [];
};

// Collects the cases of one family.
class Recorder {
    constructor() {
        this.lines = new Map();
        this.dropped = [];
        this.perOp = new Map();
    }

    keep(content) {
        const {id, text} = line(content);
        if (this.lines.has(id)) return;
        this.lines.set(id, text);
        this.perOp.set(content.op, (this.perOp.get(content.op) || 0) + 1);
    }

    // A call that returns something. What the reference is known to get wrong is left out (lib/wrong.js).
    async call(op, ...given) {
        const args = cut(given);
        const reason = wrongHere(op, args);
        if (reason) return this.drop(op, args, reason);
        let result;
        try {
            result = await call(op, args);
        } catch (error) {
            return this.drop(op, args, `threw: ${error.message.split('\n')[0]}`);
        }
        for (const {shape, dtype, data} of tensorsIn(result)) {
            const size = Array.from(shape).reduce((a, b) => a * b, dtype === 'complex64' ? 2 : 1);
            if (size !== data.length) return this.drop(op, args, 'elements that do not fill the shape');
            if (dtype === 'bool' && data.some((value) => value !== 0 && value !== 1)) return this.drop(op, args, 'a bool that is neither 0 nor 1');
            if (dtype === 'int32' && data.some((value) => !Number.isInteger(value))) return this.drop(op, args, 'an int32 that is not whole');
        }
        this.keep({op, args, result});
    }

    // A call that must throw.
    async bad(op, ...given) {
        const args = cut(given);
        try {
            await call(op, args);
        } catch {
            return this.keep({op, args, throws: true});
        }
        this.drop(op, args, 'was meant to throw');
    }

    // A call whose right result is written here, because the reference has none or another one. `why` is for the reader.
    right(why, op, args, result) {
        this.keep({op, args, result});
    }

    // A call whose right result comes from other calls of the reference, which has a defect in this one.
    async derived(why, op, args, compute) {
        this.keep({op, args: cut(args), result: await compute(call)});
    }

    // A call that is wrong by definition though the reference lets it pass.
    wrong(why, op, ...args) {
        this.keep({op, args: cut(args), throws: true});
    }

    drop(op, args, reason) {
        this.dropped.push({op, args, reason});
    }
}

module.exports = {Recorder};
