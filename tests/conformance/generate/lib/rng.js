'use strict';

// A small seeded generator (mulberry32): the same family always draws the same cases.
class Rng {
    constructor(name) {
        this.state = 2166136261;
        for (const character of name) this.state = Math.imul(this.state ^ character.codePointAt(0), 16777619) >>> 0;
    }

    // A number in [0, 1).
    next() {
        this.state = (this.state + 0x6d2b79f5) >>> 0;
        let t = this.state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    }

    // A whole number from low to high, both included.
    int(low, high) {
        return low + Math.floor(this.next() * (high - low + 1));
    }

    chance(probability) {
        return this.next() < probability;
    }

    pick(list) {
        return list[this.int(0, list.length - 1)];
    }

    shuffle(list) {
        const result = list.slice();
        for (let i = result.length - 1; i > 0; --i) {
            const j = this.int(0, i);
            [result[i], result[j]] = [result[j], result[i]];
        }
        return result;
    }

    // Some of 0…count-1, each with the probability, in order.
    some(count, probability) {
        return Array.from({length: count}, (_, i) => i).filter(() => this.chance(probability));
    }
}

module.exports = {Rng};
