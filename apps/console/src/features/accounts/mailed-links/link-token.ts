import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const tokenIn = (hash: string) => new URLSearchParams(hash.replace(/^#/, '')).get('token') ?? '';

/**
 * The token of the mailed link that led here, or ''. It is in the fragment, which is sent to no server, and is removed from the address at
 * once, so that it is neither copied nor visible.
 */
export function useLinkToken(): string {
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const found = tokenIn(hash);
  const [token, setToken] = useState(found);
  if (found && found !== token) setToken(found); // another link was opened in the same tab
  useEffect(() => {
    if (found) void navigate({ to: pathname, replace: true });
  }, [found, pathname, navigate]);
  return token;
}
