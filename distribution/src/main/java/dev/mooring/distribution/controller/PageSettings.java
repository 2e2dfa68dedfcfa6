// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller;

import dev.mooring.distribution.page.PageActors;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.function.Predicate;

/**
 * How the controller's page is shown.
 *
 * @param address where, on loopback
 * @param isToken whether a text is the token; may be called by several threads at once
 * @param actors those who may change something by it
 * @param random for the names of sessions
 */
public record PageSettings(
        InetSocketAddress address, Predicate<String> isToken, PageActors actors, SecureRandom random) {}
