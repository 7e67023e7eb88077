import type { ElementType, Key, ReactElement } from 'react';
import * as react from 'react/jsx-dev-runtime';
import { type WithChildren, withOwnText } from './ownText.ts';

export { Fragment } from 'react/jsx-dev-runtime';

type Rest = [source?: react.JSXSource, self?: unknown];

/** The JSX runtime for development and tests: see ownText.ts. */
export function jsxDEV(
  type: ElementType,
  props: WithChildren,
  key: Key | undefined,
  isStatic: boolean,
  ...rest: Rest
): ReactElement {
  const own = withOwnText(type, props);
  return react.jsxDEV(type, own, key, isStatic && Array.isArray(own.children), ...rest);
}
