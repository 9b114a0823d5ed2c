/**
 * Loaded into a gateway before anything else: every name has the address 127.0.0.2 at the first look-up and 127.0.0.1 at
 * all later ones, as the name server of an attacker would have it.
 */
import { Resolver } from 'node:dns/promises';

let asked = 0;
Resolver.prototype.resolve4 = async () => [asked++ === 0 ? '127.0.0.2' : '127.0.0.1'];
Resolver.prototype.resolve6 = async () => [];
