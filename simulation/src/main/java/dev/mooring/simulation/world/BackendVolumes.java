// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.attachdetach.calls.AttachCall;
import dev.mooring.binder.calls.ExpandCall;
import dev.mooring.binder.calls.ModifyCall;
import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.simulation.sidecar.OutsideCall;
import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.volumemanager.calls.PublishCall;
import dev.mooring.volumemanager.calls.UnpublishCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the simulated back-ends hold: which storage exists, how large it was made, where it is attached, staged and published. Repeating
 * an operation changes nothing, as with a real back-end. Confined to the world's thread.
 */
public final class BackendVolumes {
    private final Map<String, State> states = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();

    BackendVolumes() {}

    /** Does what a call asks for. */
    void apply(Call made) {
        Call call = OutsideCall.deed(made);
        State state = states.computeIfAbsent(call.plugin() + " " + call.volume(), name -> new State());
        String where = call.node();
        switch (call.operation()) {
            case "provision" -> state.make(call);
            case "delete" -> state.exists = false;
            case "recycle" -> state.recycled++;
            case "attach" -> {
                state.attached.add(where);
                if (isForOneNode(call) && state.attached.size() > 1) {
                    violations.add("S1: " + call.volume() + " is attached to " + String.join(" and ", state.attached));
                }
            }
            case "detach" -> {
                if (state.mountedOn().contains(where)) {
                    violations.add("S2: " + call.volume() + " was detached from " + where + ", which uses it");
                }
                state.attached.remove(where);
            }
            case "stage" -> state.staged.add(where);
            case "unstage" -> {
                if (state.published.containsKey(where)) {
                    violations.add("S8: " + call.volume() + " was unstaged on " + where + ", where a pod has it");
                }
                state.staged.remove(where);
            }
            case "publish" ->
                state.published.computeIfAbsent(where, node -> new TreeSet<>()).add(podOf(call));
            case "unpublish" -> state.unpublish(where, podOf(call));
            case "expand" -> state.grow(call);
            case "modify" -> state.modify(call);
            default -> {
                // another operation leaves no trace
            }
        }
    }

    private static boolean isForOneNode(Call call) {
        if (!(call instanceof AttachCall attach)) {
            return false;
        }
        List<AccessMode> modes = attach.spec().accessModes();
        return !modes.isEmpty()
                && !modes.contains(AccessMode.READ_WRITE_MANY)
                && !modes.contains(AccessMode.READ_ONLY_MANY);
    }

    private static String podOf(Call call) {
        if (call instanceof PublishCall publish) {
            return publish.record().pod().uid();
        }
        return call instanceof UnpublishCall unpublish
                ? unpublish.record().pod().uid()
                : "";
    }

    /** The nodes that have a volume prepared or shown to a pod: what a running machine there could write to (S1', S2). */
    public Set<String> mountedOn(String plugin, String volume) {
        return states.getOrDefault(plugin + " " + volume, new State()).mountedOn();
    }

    /** Whether what a call would prepare is prepared on its node. */
    boolean isStaged(Call call) {
        State state = states.get(call.plugin() + " " + call.volume());
        return state != null && state.staged.contains(call.node());
    }

    /** The nodes to which a volume is attached (S1). */
    public Set<String> attachedTo(String plugin, String volume) {
        return new TreeSet<>(states.getOrDefault(plugin + " " + volume, new State()).attached);
    }

    /** What was done that must never be done, in order; empty if nothing was. */
    public List<String> violations() {
        return List.copyOf(violations);
    }

    /** A machine went down: what it had staged and published is gone. */
    void machineDied(String node) {
        for (State state : states.values()) {
            state.staged.remove(node);
            state.published.remove(node);
        }
    }

    /**
     * What the back-end holds of a volume.
     *
     * @param plugin the back-end
     * @param volume the volume's name
     * @return one line for people and tests, such as {@code exists, published on n1}; never null
     */
    public String describe(String plugin, String volume) {
        State state = states.getOrDefault(plugin + " " + volume, new State());
        StringBuilder text = new StringBuilder(state.exists ? "exists" : "deleted");
        append(text, "attached to", state.attached);
        append(text, "staged on", state.staged);
        append(text, "published on", state.published.keySet());
        if (state.recycled > 0) {
            text.append(", recycled ").append(state.recycled).append(state.recycled == 1 ? " time" : " times");
        }
        if (state.expanded > 0) {
            text.append(", grown to ").append(state.size);
            text.append(state.expanded == 1 ? "" : " in " + state.expanded + " steps");
        }
        if (!state.attributes.isEmpty()) {
            text.append(", with ").append(state.attributes);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String what, Set<String> nodes) {
        if (!nodes.isEmpty()) {
            text.append(", ").append(what).append(' ').append(String.join(" ", nodes));
        }
    }

    private static final class State {
        boolean exists = true;
        int recycled;
        int expanded;
        Quantity size = Quantity.ZERO;
        final Map<String, String> attributes = new TreeMap<>();
        final Set<String> attached = new TreeSet<>();
        final Set<String> staged = new TreeSet<>();
        final Map<String, Set<String>> published = new TreeMap<>();

        Set<String> mountedOn() {
            Set<String> nodes = new TreeSet<>(staged);
            nodes.addAll(published.keySet());
            return nodes;
        }

        void unpublish(String node, String pod) {
            published.computeIfPresent(node, (n, pods) -> {
                pods.remove(pod);
                return pods.isEmpty() ? null : pods;
            });
        }

        void make(Call call) {
            if (!exists) {
                attributes.clear();
            }
            exists = true;
            if (call instanceof ProvisionCall provision) {
                size = provision.request().requested();
                provision.request().attributes().forEach(attributes::putIfAbsent);
            }
        }

        void modify(Call call) {
            if (call instanceof ModifyCall modify) {
                attributes.putAll(modify.parameters());
            }
        }

        /** A back-end that is large enough already does nothing. */
        void grow(Call call) {
            if (call instanceof ExpandCall expand && expand.wanted().compareTo(size) > 0) {
                size = expand.wanted();
                expanded++;
            }
        }
    }
}
