// A minimal proxy on Node's http, for comparison: node plainProxy.js PORT SERVICE_PORT
import { Agent, createServer, request } from 'node:http';

const [port, servicePort] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });

createServer((asked, answer) => {
  const { method, url: path, headers } = asked;
  const onward = request({ agent, port: servicePort, method, path, headers }, (received) => {
    answer.writeHead(received.statusCode, received.headers);
    received.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  asked.pipe(onward);
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
