import { resolve } from 'node:path';
import type { RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import { PAGES, partsOf } from '#src/server/http/assets/preload.ts';
import { pageLoaders } from './page.tsx';
import { routes } from './router.tsx';

interface PageRoute {
  path: string;
  load: () => Promise<unknown>;
}

function pagesBelow(below: readonly RouteObject[], parent = ''): PageRoute[] {
  return below.flatMap((route) => {
    const { path, children = [] } = route;
    const load = pageLoaders.get(route);
    const whole = path === undefined ? parent : path.startsWith('/') ? path : `${parent}/${path}`;
    return [...(load === undefined ? [] : [{ path: whole, load }]), ...pagesBelow(children, whole)];
  });
}

const pages = pagesBelow(routes).filter(({ path }) => !path.endsWith('*'));

test('the gateway preloads every page of the route table', () => {
  const signedIn = pages.map(({ path }) => path).filter((path) => path !== '/sign-in');
  expect(Object.keys(PAGES).sort()).toEqual(signedIn.sort());
});

test.each(pages.filter(({ path }) => path.split('/:').length < 2 || /^.(balances|operations)/.test(path)))(
  '$path preloads the page that it opens',
  async ({ path, load }) => {
    const [file = ''] = partsOf(path, path !== '/sign-in');
    expect(await load()).toMatchObject({
      Component: Reflect.get(await import(/* @vite-ignore */ resolve(file)), 'Component'),
    });
  },
);
