// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit.client;

/**
 * A client for a test.
 *
 * @param value what is injected
 * @param closing lets go of it
 */
public record InjectedClient(Object value, AutoCloseable closing) {}
