// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

import dev.mooring.runtime.control.Announcement;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kinds;
import dev.mooring.volumemanager.wanted.DesiredVolume;
import dev.mooring.volumemanager.wanted.Resolution;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a pod is told when a device has been given to it: both places where it is held (semantics/attach-and-mount §3.7). */
final class DeviceEvents {
    private static final String REASON = "SuccessfulMountVolume";

    private DeviceEvents() {}

    /** The events; none unless a device has been published since the last decision. */
    static List<Effect> of(DesiredVolume want, Situation situation) {
        boolean published = situation
                .resultOf(AgentOperations.PUBLISH)
                .filter(EffectResult::succeeded)
                .isPresent();
        return !published
                ? List.of()
                : want.<List<Effect>>match(
                        needed -> needed.resolution()
                                .<List<Effect>>match(
                                        ready -> of(needed, ready), waiting -> List.of(), failed -> List.of()),
                        List::of,
                        List::of);
    }

    private static List<Effect> of(DesiredVolume.Needed needed, Resolution.Ready ready) {
        List<Effect> events = new ArrayList<>();
        ready.deviceMap().flatMap(DeviceEvents::directory).ifPresent(global -> {
            events.add(event(needed, ready, "globalMapPath", global));
            directory(ready.target()).ifPresent(pod -> events.add(event(needed, ready, "volumeMapPath", pod)));
        });
        return events;
    }

    private static Optional<Path> directory(Path path) {
        return Optional.ofNullable(path.getParent());
    }

    private static Effect event(DesiredVolume.Needed needed, Resolution.Ready ready, String place, Path path) {
        return Announcement.normal(
                Kinds.POD,
                needed.pod(),
                REASON,
                "MapVolume.MapPodDevice succeeded for volume \"" + ready.spec().name() + "\" " + place + " \"" + path
                        + "\"",
                PodVolumeDecider.COMPONENT);
    }
}
