import type { ModelPrice } from '@paddock/contract';
import { PriceDialog } from './PriceDialog.tsx';
import { RemovePriceDialog } from './RemovePriceDialog.tsx';

export interface Acting {
  /** Without it another model gets a price. */
  on?: ModelPrice | undefined;
  wish: 'edit' | 'remove';
}

/** The dialog of what is to be done with a price. */
export const PriceDialogs = ({ on, wish, taken, onClose }: Acting & { taken: readonly string[]; onClose: () => void }) =>
  on && wish === 'remove' ? (
    <RemovePriceDialog model={on.model} onClose={onClose} />
  ) : (
    <PriceDialog first={on} taken={taken} onClose={onClose} />
  );
