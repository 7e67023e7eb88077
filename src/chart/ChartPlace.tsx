import { ChartColumn } from 'lucide-react';
import type { PageFilters } from '#src/list/filters/listFilters.tsx';
import type { FilterState } from '#src/list/filters/useFilters.ts';
import { setPreferences, usePreferences } from '#src/storage/preferences.ts';
import { Button } from '#src/ui/Button.tsx';
import { useLoaded } from '#src/ui/useLoaded.ts';
import type { CountSource } from './useCounts.ts';

// A chart costs requests and code: neither before somebody wants it.
const loadChart = () => import('./DayChart.tsx');

interface ChartPlaceProps {
  source: CountSource;
  state: FilterState<PageFilters>;
}

/** The chart above a list, when the person has it shown. */
export function ChartPlace(props: ChartPlaceProps) {
  return usePreferences().chartShown ? <Loaded {...props} /> : null;
}

function Loaded({ source, state }: ChartPlaceProps) {
  const { value, failed } = useLoaded(loadChart);
  if (value) return <value.DayChart source={source} state={state} />;
  return <div className="chart-place">{failed && 'Couldn’t load the chart. Reload the page.'}</div>;
}

/** Shows and hides the chart above a list; the choice is remembered. */
export function ChartToggle() {
  const { chartShown } = usePreferences();
  return (
    <Button
      variant="quiet"
      icon={<ChartColumn aria-hidden />}
      data-tip="Chart"
      aria-expanded={chartShown}
      onClick={() => setPreferences({ chartShown: !chartShown })}
    >
      Chart
    </Button>
  );
}
