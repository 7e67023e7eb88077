// Preloaded (--import): this process's clocks begin at CLOCK_START, in ms, and jump two hours ahead at each SIGUSR2.
const [mono, wall] = [performance.now.bind(performance), Date.now];
let ahead = 0;
const begun = wall();
performance.now = () => mono() + ahead;
Date.now = () => Number(process.env['CLOCK_START']) + wall() - begun + ahead;
process.on('SIGUSR2', () => (ahead += 7_200_000));
