// Test support: one HTTP request.
import { type IncomingMessage, request } from 'node:http';

export interface GatewayTestAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  /** False if the connection broke before the body's end. */
  complete: boolean;
}

export interface TestRequest {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** One request on a new socket; never rejects for a broken body. */
export function sendToGateway(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: TestRequest = {},
): Promise<GatewayTestAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(origin, { path, method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (text += part));
      answer.on('error', () => undefined);
      answer.on('close', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, complete: answer.complete }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
