// Preloaded (--import): makes this process's clocks run CLOCK_RATE times as fast, from CLOCK_START, in ms. Timers stay as they are.
const start = Number(process.env['CLOCK_START']);
const rate = Number(process.env['CLOCK_RATE']);
const mono = performance.now.bind(performance);
performance.now = () => mono() * rate;
Date.now = () => Math.floor(start + mono() * rate);
