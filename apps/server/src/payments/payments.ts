import type { Sql } from '../db/connect.ts';
import type { PaymentProvider } from './provider.ts';
import { testProvider } from './test-provider.ts';

/** The provider through which this installation is paid. */
export const paymentProvider = ({ sql }: { sql: Sql }): PaymentProvider => testProvider(sql);
