import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { DEEP } from '#src/tests/depth.ts';
import { startDashboard } from '#src/tests/process/dashboardProcess.ts';
import { freePort } from '#src/tests/process/program.ts';
import { until } from './until.ts';

/** The HTTP status; null if no server listens. */
function statusOf(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    request(url, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? null);
    })
      .on('error', () => resolve(null))
      .end();
  });
}

describe('a server that is run as a service', () => {
  test('says that it stops before it stops', async () => {
    const server = await startDashboard({ DATA_DIR: 'memory', SANDBOX_DEPOSITS: '10', DRAIN_SECONDS: '2' });
    expect(await statusOf(`${server.baseUrl}/readyz`)).toBe(200);
    server.signal('SIGTERM');
    await until('/readyz answers 503', async () => (await statusOf(`${server.baseUrl}/readyz`)) === 503);
    expect(await statusOf(`${server.baseUrl}/`)).toBe(200);
    expect(await server.end).toMatchObject({ code: 0 });
  });

  test.runIf(DEEP)('logs one JSON object per line, and serves metrics on another port', async () => {
    const metricsPort = await freePort();
    const server = await startDashboard({
      DATA_DIR: 'memory',
      SANDBOX_DEPOSITS: '10',
      LOG: 'json',
      METRICS_PORT: String(metricsPort),
    });
    await statusOf(`${server.baseUrl}/deposits/dep_secret?search=alice`);
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(await metrics.text()).toMatch(
      /^countinghouse_request_seconds_count\{method="GET",route="\/\*",status="200"\} 1$/m,
    );
    expect(await statusOf(`http://127.0.0.1:${metricsPort}/`)).toBe(404);
    expect(await statusOf(`${server.baseUrl}/metrics`)).toBe(200);
    expect((await server.stop()).code).toBe(0);
    const lines = server
      .output()
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toContainEqual({
      time: expect.any(String),
      id: null,
      person: null,
      method: 'GET',
      route: '/*',
      status: 200,
      ms: expect.any(Number),
    });
    expect(server.output()).not.toMatch(/dep_secret|alice/);
  });
});
