// SPDX-License-Identifier: Apache-2.0
package dev.mooring.e2e.inside;

import dev.mooring.attachdetach.AttachDetach;
import dev.mooring.attachdetach.AttachDetachOptions;
import dev.mooring.attachdetach.calls.AttachCall;
import dev.mooring.attachdetach.calls.AttachDetachCallHandler;
import dev.mooring.attachdetach.calls.DetachCall;
import dev.mooring.attachdetach.calls.FenceCall;
import dev.mooring.binder.Binder;
import dev.mooring.binder.BinderOptions;
import dev.mooring.binder.calls.BinderCallHandler;
import dev.mooring.host.linux.KeptPlaces;
import dev.mooring.host.linux.LinuxHost;
import dev.mooring.host.linux.LinuxHostLayout;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.StoreEventSink;
import dev.mooring.runtime.control.CallHandler;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.TimeSource;
import dev.mooring.runtime.plugin.PluginRegistry;
import dev.mooring.runtime.plugin.StoreSecrets;
import dev.mooring.storage.spi.Secrets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The controllers without a node, until they are killed. Arguments: the socket of the store, a directory. */
public final class ControllerMain {
    private ControllerMain() {}

    /** Runs them. */
    public static void main(String[] arguments) throws InterruptedException {
        SocketStore store = new SocketStore(Path.of(arguments[0]));
        Path base = Path.of(arguments[1]);
        LinuxHost host = LinuxHost.ofThisMachine(new LinuxHostLayout(
                        base.resolve("state"), base.resolve("orphans"), KeptPlaces.in(base.resolve("places"))))
                .orElseThrow();
        PluginRegistry plugins = new PluginRegistry(GuestWorld.plugins());
        List<Controller> deciding = new ArrayList<>(new Binder(BinderOptions.DEFAULT, plugins).controllers());
        deciding.addAll(AttachDetach.controllers(AttachDetachOptions.DEFAULT, plugins));
        Secrets secrets = new StoreSecrets(store);
        CallHandler attaching = new AttachDetachCallHandler(plugins, host, secrets);
        CallHandler binding = new BinderCallHandler(plugins, host, secrets);
        RuntimeOptions options = RuntimeOptions.defaults()
                .withName("controllers")
                .withEvents(new StoreEventSink(store, TimeSource.system()))
                .withCalls((call, ticket) ->
                        call instanceof AttachCall || call instanceof DetachCall || call instanceof FenceCall
                                ? attaching.perform(call, ticket)
                                : binding.perform(call, ticket));
        new ControllerRuntime(store, deciding, options).start();
        new CountDownLatch(1).await();
    }
}
