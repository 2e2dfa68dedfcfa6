// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.world;

import dev.mooring.clusterstore.duty.BackgroundDuties;
import dev.mooring.clusterstore.duty.DutyOptions;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.runtime.control.Call;
import dev.mooring.runtime.control.CallTicket;
import dev.mooring.runtime.control.Controller;
import dev.mooring.simulation.virtual.Fences;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.host.BlockDevice;
import dev.mooring.storage.spi.host.BlockDevices;
import dev.mooring.storage.spi.host.FileSystems;
import dev.mooring.storage.spi.host.Mounts;
import dev.mooring.storage.spi.host.ProcessRunner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is simulated: where a world gets its controllers from. */
public interface SimulatedControlPlane {
    /** The controllers of the one process that serves the whole cluster: new ones, that remember nothing; never null. */
    List<Controller> controllers();

    /**
     * The agent of a machine.
     *
     * @param node the machine
     * @return the agent; empty if no agents take part
     */
    Optional<Agent> agent(NodeRef node);

    /**
     * What a call answers that did what it asked for.
     *
     * @param call a call that one of the controllers or agents made
     * @return the answer; empty if this is not a call to a back-end that is known here
     */
    Optional<Outcome<?>> success(Call call);

    /**
     * Carries a call out where its storage is no simulation; it may block.
     *
     * @param call a call that no fault keeps away from its back-end
     * @param ticket who asks
     * @return what became of it; empty if its storage is simulated
     */
    default Optional<Outcome<?>> carriedOut(Call call, CallTicket ticket) {
        return Optional.empty();
    }

    /**
     * The programs of others that may run beside it, each a process of its own that is started on demand.
     *
     * @return what makes the controllers of each, by the name of the process; never null
     */
    default Map<String, Supplier<List<Controller>>> sidecars() {
        return Map.of();
    }

    /**
     * What runs beside the volume controllers in a store without Kubernetes: in a process of its own, which never dies.
     *
     * @param kinds the kinds that the store holds
     * @return new controllers; never null
     */
    default List<Controller> duties(Kinds kinds) {
        return List.of(
                BackgroundDuties.garbageCollection(kinds),
                BackgroundDuties.namespaceTermination(kinds),
                BackgroundDuties.eventExpiry(DutyOptions.DEFAULT));
    }

    /** How long a machine is down before its keeper shows its Node as Unknown; empty if one of the {@link #duties} finds out. */
    default Optional<Duration> unknownAfter() {
        return Optional.of(DutyOptions.DEFAULT.nodeGracePeriod());
    }

    /** What holds the controllers' process back once it leads no more; never null. */
    default Fences fences() {
        return Fences.STANDARD;
    }

    /**
     * What a machine does with file systems.
     *
     * @param devices the machine's devices
     * @param mounts its mounts
     * @param tools its tools
     * @param heads the first bytes of a device, as they are on the medium
     * @return production's own by default; never null
     */
    default FileSystems fileSystems(
            BlockDevices devices, Mounts mounts, ProcessRunner tools, Function<BlockDevice, Outcome<byte[]>> heads) {
        return LinuxHost.fileSystems(devices, mounts, tools, heads);
    }

    /** An agent and the disk of its machine, which survives every death. */
    interface Agent {
        /**
         * The controllers of the agent's process: new ones, that remember nothing but what is on the disk.
         *
         * @param bootId names the running boot of the machine
         */
        List<Controller> controllers(String bootId);

        /**
         * Carries out a call that the machine answers by itself, such as writing a record to its disk.
         *
         * @return the answer; empty if a back-end has to answer
         */
        Optional<Outcome<?>> ownCall(Call call);
    }
}
