// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * How a binder behaves. Begin with {@link #DEFAULT}.
 *
 * @param on the switches that are on
 * @param selectedNodeTtl how long a claim keeps a selected node that is not ready, while nothing has been provisioned there; empty for
 *     ever, as upstream (D10). A node that does not exist any more is given up at once
 * @param maxBindsInFlight how many binds may be under way at once (D4); at least 1
 * @param migrated the in-tree plugins whose volumes CSI drivers have taken over
 * @param beside how it provisions where another program binds; empty if it binds
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record BinderOptions(
        Set<BinderSwitch> on,
        Optional<Duration> selectedNodeTtl,
        int maxBindsInFlight,
        MigratedPlugins migrated,
        Optional<ProvisionerRole> beside) {
    /** Mooring's own behaviour. */
    public static final BinderOptions DEFAULT = new BinderOptions(
            Arrays.stream(BinderSwitch.values()).filter(BinderSwitch::byDefault).collect(Collectors.toSet()),
            Optional.of(Duration.ofMinutes(10)),
            Integer.MAX_VALUE,
            MigratedPlugins.UPSTREAM,
            Optional.empty());

    /**
     * Copies the set and checks the numbers.
     *
     * @throws IllegalArgumentException if a number is out of its range; the message names it
     */
    public BinderOptions {
        EnumSet<BinderSwitch> copy = EnumSet.noneOf(BinderSwitch.class);
        copy.addAll(on);
        on = Collections.unmodifiableSet(copy);
        selectedNodeTtl.filter(Duration::isNegative).ifPresent(ttl -> {
            throw new IllegalArgumentException("selectedNodeTtl must not be negative, but is " + ttl);
        });
        Objects.requireNonNull(migrated, "migrated");
        if (maxBindsInFlight < 1) {
            throw new IllegalArgumentException("maxBindsInFlight must be at least 1, but is " + maxBindsInFlight);
        }
    }

    /** Whether a switch is on. */
    public boolean has(BinderSwitch option) {
        return on.contains(option);
    }

    /** The same with a switch on. */
    public BinderOptions with(BinderSwitch option) {
        return with(option, true);
    }

    /** The same with a switch off. */
    public BinderOptions without(BinderSwitch option) {
        return with(option, false);
    }

    private BinderOptions with(BinderSwitch option, boolean wanted) {
        EnumSet<BinderSwitch> edited = EnumSet.noneOf(BinderSwitch.class);
        edited.addAll(on);
        if (wanted) {
            edited.add(option);
        } else {
            edited.remove(option);
        }
        return new BinderOptions(edited, selectedNodeTtl, maxBindsInFlight, migrated, beside);
    }

    /** The same with another time to live of selected nodes. */
    public BinderOptions withSelectedNodeTtl(Optional<Duration> ttl) {
        return new BinderOptions(on, ttl, maxBindsInFlight, migrated, beside);
    }

    /** The same with another bound on the binds under way. */
    public BinderOptions withMaxBindsInFlight(int max) {
        return new BinderOptions(on, selectedNodeTtl, max, migrated, beside);
    }

    /** The same with other migrated plugins. */
    public BinderOptions withMigrated(MigratedPlugins plugins) {
        return new BinderOptions(on, selectedNodeTtl, maxBindsInFlight, plugins, beside);
    }

    /** The same as the provisioner beside another program that binds. */
    public BinderOptions besideAnother(ProvisionerRole role) {
        return new BinderOptions(on, selectedNodeTtl, maxBindsInFlight, migrated, Optional.of(role));
    }
}
