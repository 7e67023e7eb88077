import { ListFilter } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#src/ui/Button.tsx';
import './list.css';

interface FilterFrameProps {
  /** The filters, each a FilterControl or a FilterToggle. */
  children: ReactNode;
  /** Stands at the end: Export. */
  end?: ReactNode;
}

/** The bar of filters; on narrow windows those that are set, the rest behind one button. */
export function FilterFrame({ children, end }: FilterFrameProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="filters" role="search" aria-label="Filters" data-open={open || undefined}>
      {children}
      <Button
        className="filters-toggle"
        aria-expanded={open}
        icon={<ListFilter className="icon-s" aria-hidden />}
        onClick={() => setOpen(!open)}
      >
        Filters
      </Button>
      {end && <div className="end">{end}</div>}
    </div>
  );
}
