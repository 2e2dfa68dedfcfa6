// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.function.Predicate;

/**
 * How the controller's page is shown.
 *
 * @param address where, on loopback
 * @param isToken whether a text is the token; may be called by several threads at once
 * @param random for the names of sessions
 */
public record PageSettings(InetSocketAddress address, Predicate<String> isToken, SecureRandom random) {}
