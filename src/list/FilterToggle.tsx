import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

interface FilterToggleProps {
  label: string;
  /** In words; the default is said too. */
  value: string;
  icon?: ReactNode;
  set: boolean;
  onChange: (set: boolean) => void;
}

/** "Label value", with one other value than the default. */
export function FilterToggle({ label, value, icon, set, onChange }: FilterToggleProps) {
  const toggle = useRef<HTMLButtonElement>(null);
  const clear = `Clear ${label.toLowerCase()}`;
  return (
    <div className={set ? 'filter set' : 'filter'}>
      <button type="button" className="filter-main" ref={toggle} onClick={() => onChange(!set)}>
        <span className="l">{label}</span> <span className="v">{value}</span>
        {icon}
      </button>
      {set && (
        <button
          type="button"
          className="filter-clear"
          aria-label={clear}
          data-tip={clear}
          onClick={() => {
            onChange(false);
            toggle.current?.focus();
          }}
        >
          <X className="icon-s" aria-hidden />
        </button>
      )}
    </div>
  );
}
