// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.support;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.spi.ProvisionRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import org.apiguardian.api.API;

/** Rules for volumes that a plugin makes as directories. Pure. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class ProvisionedVolumes {
    /** Annotation of a volume: whether its size is a limit, {@code true} or {@code false}. */
    public static final String CAPACITY_ENFORCED = "mooring.dev/capacity-enforced";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,200}[a-z0-9])?");

    private ProvisionedVolumes() {}

    /**
     * What is wrong with the name that the volume is to have; empty if it can name a file or directory.
     *
     * @param what what it is to name, for the message, such as {@code a directory of a volume}
     */
    public static Optional<String> nameProblem(ProvisionRequest request, String what) {
        return NAME.matcher(request.volumeName()).matches()
                ? Optional.empty()
                : Optional.of("'" + request.volumeName() + "' cannot name " + what);
    }

    /**
     * What is wrong with the parameters of the class; empty if nothing is. The first one in the order of the names is named.
     *
     * @param good whether there is a parameter of this name and the value is one of it
     */
    public static Optional<String> parameterProblem(Map<String, String> parameters, BiPredicate<String, String> good) {
        return new TreeMap<>(parameters)
                .entrySet().stream()
                        .filter(parameter -> !good.test(parameter.getKey(), parameter.getValue()))
                        .findFirst()
                        .map(parameter -> "parameter " + parameter.getKey() + " is unknown or its value '"
                                + parameter.getValue() + "' is not one");
    }

    /** The access modes that the claim asks for, or this one if it asks for none. */
    public static List<AccessMode> accessModes(ProvisionRequest request, AccessMode usual) {
        return request.accessModes().isEmpty() ? List.of(usual) : request.accessModes();
    }
}
