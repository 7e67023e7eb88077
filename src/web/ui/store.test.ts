import { expect, test, vi } from 'vitest';
import { createStore } from './store.ts';

test('subscribers are notified of a new value and not of the same one', () => {
  const store = createStore(1);
  const heard = vi.fn<() => void>();
  const stop = store.subscribe(heard);
  store.set(1);
  expect(heard).not.toHaveBeenCalled();
  store.set(2);
  expect(heard).toHaveBeenCalledTimes(1);
  expect(store.get()).toBe(2);
  stop();
  store.set(3);
  expect(heard).toHaveBeenCalledTimes(1);
});

test('onSubscribed runs with the first subscriber and its cleanup after the last', () => {
  const end = vi.fn<() => void>();
  const begin = vi.fn<() => () => void>(() => end);
  const store = createStore(0, { onSubscribed: begin });
  const [one, other] = [store.subscribe(() => undefined), store.subscribe(() => undefined)];
  expect(begin).toHaveBeenCalledTimes(1);
  one();
  one();
  expect(end).not.toHaveBeenCalled();
  other();
  other();
  expect(end).toHaveBeenCalledTimes(1);
  store.subscribe(() => undefined);
  expect(begin).toHaveBeenCalledTimes(2);
});
