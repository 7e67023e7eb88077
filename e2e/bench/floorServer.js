// Serves the floor app gzipped and forwards /v1 to the service with a key: node floorServer.js PORT SERVICE KEY
import { readFileSync, readdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const [port, service, key] = process.argv.slice(2);
const ROOT = join(import.meta.dirname, '../../dist/floor');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

function compressed(path) {
  return { type: TYPES[extname(path)], body: gzipSync(readFileSync(join(ROOT, path)), { level: 9 }) };
}

const page = compressed('index.html');
const files = new Map(
  readdirSync(join(ROOT, 'assets')).map((name) => [`/assets/${name}`, compressed(`assets/${name}`)]),
);

createServer((asked, answer) => {
  if (asked.url.startsWith('/v1/')) {
    const onward = request(service + asked.url, { headers: { 'x-api-key': key } }, (received) => {
      answer.writeHead(received.statusCode, received.headers);
      received.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    onward.end();
    return;
  }
  const { type, body } = files.get(asked.url) ?? page;
  answer.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip', 'Content-Length': body.length });
  answer.end(body);
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
