// Prints the program's heap size after a collection, on request: node --import heap.js program.js
import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');
process.on('SIGUSR2', () => {
  collect();
  console.log(`heap ${process.memoryUsage().heapUsed}`);
});
