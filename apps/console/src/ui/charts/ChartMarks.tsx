import { type ChartMarker, type ChartSeries, type ChartView, toneAt, xOf } from './chart-shape.ts';
import { toneLook } from './tone-look.ts';

/** Distance to a marker, in percent of the width, within which the cross-hair shows its label. */
const nearPercent = 1.2;

/** The marker nearest to the cross-hair, if one is within reach. */
export function markerNear(markers: readonly ChartMarker[], at: number, view: ChartView): ChartMarker | undefined {
  const reach = (nearPercent / 100) * (view.to - view.from);
  const near = markers.filter((marker) => Math.abs(marker.at - at) <= reach);
  return near.toSorted((one, other) => Math.abs(one.at - at) - Math.abs(other.at - at))[0];
}

type MarkersProps = { markers: readonly ChartMarker[]; near: ChartMarker | undefined; view: ChartView };

/** A thin line at each marker in view, and the label of the one near the cross-hair. */
export function Markers({ markers, near, view }: MarkersProps) {
  const shown = markers.filter(({ at }) => at >= view.from && at <= view.to);
  const x = near ? xOf(near.at, view) : 0;
  return (
    <>
      {shown.map((marker) => (
        <span
          key={`${marker.at} ${marker.label}`}
          className={`absolute inset-y-0 -ml-px border-l border-dashed ${marker === near ? 'border-text' : 'border-border-strong'}`}
          style={{ left: `${xOf(marker.at, view)}%` }}
        />
      ))}
      {near ? (
        <span
          className="absolute bottom-full z-10 mb-1 max-w-60 truncate rounded-control border border-border-strong bg-raised px-1 text-xs text-text"
          style={x > 50 ? { right: `${100 - x}%` } : { left: `${x}%` }}
        >
          {near.label}
        </span>
      ) : null}
    </>
  );
}

type CrossHairProps = { series: readonly ChartSeries[]; index: number; view: ChartView; top: number; hasDots: boolean };

/** The line at the current point, with a dot on each series. */
export function CrossHair({ series, index, view, top, hasDots }: CrossHairProps) {
  const at = series[0]?.points[index]?.at;
  if (at === undefined) return null;
  const left = `${xOf(at, view)}%`;
  return (
    <>
      <span className="absolute inset-y-0 -ml-px border-l border-dashed border-accent" style={{ left }} />
      {hasDots
        ? series.map(({ label, points }, place) => {
            const value = points[index]?.value ?? null;
            if (value === null) return null;
            return (
              <span
                key={label}
                className={`absolute size-2 -translate-1/2 rounded-full outline-1 outline-surface forced-colors:bg-[CanvasText] ${toneLook[toneAt(series, place)].dot}`}
                style={{ left, top: `${100 - (Math.min(value, top) / top) * 100}%` }}
              />
            );
          })
        : null}
    </>
  );
}
