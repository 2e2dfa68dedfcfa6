// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.option;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which program serves a CSI driver in the controllers. */
public final class CsiServeOptions {
    private static final String SIDECARS = "sidecars";
    private static final String MOORING = "mooring:";
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--csi-serve",
            paramLabel = "DRIVER=mooring:NAMESPACE|sidecars",
            split = "\n",
            hideParamSyntax = true,
            description =
                    "Who serves a driver of --csi-endpoint: mooring, which holds the Leases of its side-cars in that namespace, or"
                            + " its side-cars. May be repeated. In a file: a map. See docs/operate/csi.md.")
    private Map<String, String> serve = Map.of();

    /**
     * Namespaces of the side-cars' Leases, by driver.
     *
     * @param endpoints sockets by driver
     * @throws ParameterException if a value breaks a rule; the message names it
     */
    public Map<String, String> namespaces(Map<String, String> endpoints) {
        Map<String, String> namespaces = new TreeMap<>();
        serve.forEach((driver, by) -> {
            if (!endpoints.containsKey(driver)) {
                throw wrong(driver, by, "the driver has no --csi-endpoint");
            }
            if (by.startsWith(MOORING)) {
                namespaces.put(driver, by.substring(MOORING.length()));
            }
            boolean known = by.equals(SIDECARS)
                    || NAMESPACE.matcher(namespaces.getOrDefault(driver, "")).matches();
            if (!known) {
                throw wrong(driver, by, "it has to be " + MOORING + "NAMESPACE, or " + SIDECARS);
            }
        });
        return namespaces;
    }

    /** The drivers that are left to their side-cars. */
    public Set<String> left() {
        Set<String> left = new TreeSet<>(serve.keySet());
        left.removeIf(driver -> !serve.getOrDefault(driver, "").equals(SIDECARS));
        return left;
    }

    private ParameterException wrong(String driver, String by, String why) {
        return new ParameterException(command.commandLine(), "--csi-serve " + driver + "=" + by + ": " + why);
    }
}
