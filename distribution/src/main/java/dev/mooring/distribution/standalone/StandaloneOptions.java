// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import java.net.InetAddress;
import java.nio.file.Path;

/**
 * How a standalone server is run.
 *
 * @param data the one directory where everything is kept
 * @param kubeconfig where the file for kubectl is written
 * @param address where it listens
 * @param port 0 for a free one
 * @param node the name of this machine as a node
 */
public record StandaloneOptions(Path data, Path kubeconfig, InetAddress address, int port, String node) {}
