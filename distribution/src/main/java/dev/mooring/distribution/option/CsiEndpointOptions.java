// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import dev.mooring.distribution.csi.CsiModules;
import dev.mooring.runtime.plugin.DriverHost;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which CSI drivers a process calls by a configured socket. */
public final class CsiEndpointOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--csi-endpoint",
            paramLabel = "DRIVER=SOCKET",
            split = "\n",
            hideParamSyntax = true,
            description =
                    "The socket of a CSI driver, such as disks.example.com=unix:///run/disks/csi.sock. May be repeated."
                            + " In a file: a map. See docs/operate/csi.md.")
    private Map<String, String> endpoints = Map.of();

    /**
     * Sockets by the drivers' names.
     *
     * @throws ParameterException if a name or a socket breaks a rule; the message names both
     */
    public Map<String, String> endpoints() {
        if (!endpoints.isEmpty()) {
            DriverHost host = CsiModules.find(DriverHost.class);
            endpoints.forEach((name, endpoint) -> host.problem(name, endpoint).ifPresent(why -> {
                throw new ParameterException(command.commandLine(), "--csi-endpoint " + name + ": " + why);
            }));
        }
        return new TreeMap<>(endpoints);
    }
}
