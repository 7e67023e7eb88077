import { ChartColumn } from 'lucide-react';
import { setPreferences, usePreferences } from '#src/storage/preferences.ts';
import { Button } from '#src/ui/Button.tsx';

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
