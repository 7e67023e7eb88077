import { expect, test, vi } from 'vitest';
import { createStore } from './store.ts';

test('subscribers hear of another value, and of the same one nothing', () => {
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

test('what runs while somebody listens begins with the first subscriber and ends with the last, once', () => {
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
