// All rules, the cheap ones and those with the most certain findings first.
import { addressRule } from './addresses/rule.ts';
import { nameRule } from './names/rule.ts';
import type { Rule } from './rule.ts';
import { birth } from './structured/birth.ts';
import { card } from './structured/card.ts';
import { email } from './structured/email/email.ts';
import { ipV4 } from './structured/ip-v4.ts';
import { ipV6 } from './structured/ip-v6.ts';
import { phone } from './structured/phone/phone.ts';
import { ssn } from './structured/ssn.ts';

export const rules: readonly Rule[] = [email, card, ssn, ipV4, ipV6, phone, birth, addressRule, nameRule];
