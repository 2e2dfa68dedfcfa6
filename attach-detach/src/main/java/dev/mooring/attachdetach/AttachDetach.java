// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach;

import dev.mooring.attachdetach.control.AttachDetachController;
import dev.mooring.attachdetach.control.AttacherController;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.plugin.PluginRegistry;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Which volume is attached to which node: makes the controllers to hand to a runtime, together with an {@link
 * dev.mooring.attachdetach.calls.AttachDetachCallHandler} for their calls.
 *
 * <p>A volume of a plugin of this process is attached by that plugin; one of any other CSI driver by the program that serves the driver's
 * VolumeAttachments. Either way there is a VolumeAttachment for every attachment, and nothing else has to survive this process.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public final class AttachDetach {
    private AttachDetach() {}

    /**
     * Makes the controllers, for one control loop.
     *
     * @param options where they differ
     * @param plugins the plugins of this process. The runtime has to carry their calls out: {@code
     *     RuntimeOptions.defaults().withCalls(new AttachDetachCallHandler(plugins, …))}, or together with those of a binder by {@link
     *     dev.mooring.runtime.control.CallHandler#choosing}; with the defaults alone every call is deferred again and again
     * @return the controllers, new ones that remember nothing; never null
     */
    public static List<Controller> controllers(AttachDetachOptions options, PluginRegistry plugins) {
        return List.of(new AttachDetachController(options, plugins));
    }

    /**
     * Makes the controllers that attach for another program, which decides what is attached where and says so by VolumeAttachments
     * (semantics/attach-and-mount §1.12).
     *
     * @param plugins the drivers whose VolumeAttachments are served, by name
     * @param served whether they are served here; else by another process of the same drivers
     * @return the controllers, new ones that remember nothing; never null
     */
    public static List<Controller> attachers(PluginRegistry plugins, boolean served) {
        return List.of(new AttacherController(served ? plugins : PluginRegistry.EMPTY));
    }
}
