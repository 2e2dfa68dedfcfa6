// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.operations;

import java.net.InetSocketAddress;

/**
 * Where a process shows its operations. Immutable.
 *
 * @param listen where it listens; port 0 for a free one
 * @param told what the process was told, a line for each option, without secrets
 */
public record OperationsAddress(InetSocketAddress listen, String told) {}
