import type { ElementType, Key, ReactElement } from 'react';
import * as react from 'react/jsx-runtime';
import { type WithChildren, withOwnText } from './ownText.ts';

export { Fragment } from 'react/jsx-runtime';

/** The JSX runtime: see ownText.ts. */
export function jsx(type: ElementType, props: WithChildren, key?: Key): ReactElement {
  return react.jsx(type, withOwnText(type, props), key);
}

export { jsx as jsxs };
