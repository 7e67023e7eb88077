import { ChevronDown } from 'lucide-react';

// Shared by Select and the list that it loads.

export interface SelectOptions<T extends string | number> {
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
}

export const selectClass = 'relative inline-block max-w-full min-w-0 [.field>&]:block';

export function SelectChevron() {
  return <ChevronDown className="icon-s text-ink-2" aria-hidden />;
}
