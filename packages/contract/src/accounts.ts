import * as z from 'zod';
import { nothing } from './lists.ts';
import { route } from './route.ts';
import { passwordMax, passwordMin } from './rules.ts';

export const User = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  plan: z.string().meta({ description: 'Plan id; the free plan reads as starter' }),
  email_verified: z.boolean(),
});
export type User = z.infer<typeof User>;

export const email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'Enter an e-mail address');

export const accounts = {
  signup: route({
    method: 'POST',
    path: '/auth/signup',
    access: 'public',
    status: 201,
    summary: 'Create an account with its personal team',
    input: z.strictObject({
      email,
      password: z.string().min(passwordMin, `Password must be at least ${passwordMin} characters`).max(passwordMax),
      name: z.string().trim().min(1, 'Enter your name').max(120),
    }),
    output: z.object({ user: User }),
  }),
  login: route({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    summary: 'Sign in and get a session token',
    input: z.strictObject({
      email: z.string().max(254),
      password: z.string().max(passwordMax),
      code: z
        .string()
        .trim()
        .max(64)
        .optional()
        .meta({ description: 'With two-factor sign-in: six digits of the authenticator app, or a recovery code' }),
      remember: z.boolean().default(false).meta({ description: 'True: the session lives 30 days, else 12 hours' }),
    }),
    output: z.object({ token: z.string(), user: User }),
  }),
  logout: route({
    method: 'POST',
    path: '/auth/logout',
    access: 'session',
    status: 204,
    summary: 'End this session',
    input: z.strictObject({}),
    output: nothing,
  }),
  me: route({
    method: 'GET',
    path: '/auth/me',
    access: 'session',
    summary: 'The signed-in person',
    input: z.strictObject({}),
    output: User,
  }),
};
