'use strict';

// Writes ../data/FAMILY.jsonl.gz, or only the families that are named. See README.md.

const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const {Recorder} = require('./lib/recorder');
const {Rng} = require('./lib/rng');

const folder = path.join(__dirname, '..', 'data');
const names = fs.readdirSync(path.join(__dirname, 'families')).map((file) => path.basename(file, '.js')).sort();

async function main() {
    const args = process.argv.slice(2);
    const verbose = args.includes('--verbose');
    const wanted = args.filter((arg) => !arg.startsWith('--'));
    let total = 0;
    fs.mkdirSync(folder, {recursive: true});
    for (const name of names) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        const recorder = new Recorder();
        await require(`./families/${name}`)(recorder, new Rng(name));
        // No time of day in the header, so that the same cases are the same bytes.
        const text = `${[...recorder.lines.values()].join('\n')}\n`;
        fs.writeFileSync(path.join(folder, `${name}.jsonl.gz`), zlib.gzipSync(text, {level: 9}));
        total += recorder.lines.size;
        console.log(`${name}: ${recorder.lines.size} cases, ${recorder.dropped.length} left out`);
        if (verbose) {
            console.log([...recorder.perOp].map(([op, count]) => `  ${op} ${count}`).join('\n'));
            for (const {op, args: given, reason} of recorder.dropped) console.log(`  - ${op}: ${reason}  ${JSON.stringify(given).slice(0, 160)}`);
        }
    }
    console.log(`${total} cases`);
}

main();
