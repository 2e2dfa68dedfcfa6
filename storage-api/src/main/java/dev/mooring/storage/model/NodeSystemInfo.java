// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import dev.mooring.storage.builder.WithBuilder;
import org.apiguardian.api.API;

/**
 * What a node's agent says of itself and of its machine; empty where it says nothing.
 *
 * @param kubeletVersion the agent and its version: a kubelet's is {@code v1.30.1}
 * @param bootID the machine's running boot
 * @param kernelVersion the machine's kernel
 * @param osImage the machine's system, for people
 * @param operatingSystem such as {@code linux}
 * @param architecture such as {@code amd64}
 * @param machineID names the installed system; the same after each boot
 * @param systemUUID names the hardware
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record NodeSystemInfo(
        String kubeletVersion,
        String bootID,
        String kernelVersion,
        String osImage,
        String operatingSystem,
        String architecture,
        String machineID,
        String systemUUID)
        implements NodeSystemInfoBuilder.With {}
