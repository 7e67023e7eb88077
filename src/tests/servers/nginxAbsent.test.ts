import { expect, test } from 'vitest';
import { proxyProgram } from './proxyPrograms.ts';

// Replaces behindNginx.test.ts on machines without nginx.
test('nginx may be absent, so nothing was tested behind it', () => {
  expect(proxyProgram('nginx')).toBeUndefined();
});
